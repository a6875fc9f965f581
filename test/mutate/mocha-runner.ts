import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { configureGlobal } from 'fast-check';
import Mocha from 'mocha';
import { isSampled, oneLine, type Change, type Position } from './mutant.ts';

/** The part of StrykerJS's TestRunner that is used here. Its types are not among the project's packages. */
interface MutantRun {
  readonly activeMutant: {
    readonly id: string;
    /** Lines and columns from 0. */
    readonly location: { readonly start: Position; readonly end: Position };
    readonly replacement: string;
  };
  readonly sandboxFileName: string;
  readonly mutantActivation: 'runtime' | 'static';
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** The variable through which StrykerJS and the code that it has changed talk. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

interface Ended {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

interface Options {
  readonly latchkey: {
    readonly tests: readonly string[];
    readonly titles: string;
    readonly sample: number;
    /** Where the run without changes leaves what each test took, for the processes that try changes. */
    readonly durations: string;
  };
}

/** The milliseconds that each test took, by its full title. */
type Durations = Readonly<Record<string, number>>;

/** Runs mocha in StrykerJS's process. StrykerJS 10 has a runner for mocha, which looks for files that mocha 12 renamed. */
class MochaRunner {
  static readonly inject = ['options'] as const;
  readonly #instrumented = instrumented();
  readonly #options: Options['latchkey'];
  readonly #included: RegExp;
  #mocha: Mocha | null = null;
  #durations: Durations | null = null;

  constructor({ latchkey }: Options) {
    this.#options = latchkey;
    this.#included = new RegExp(latchkey.titles);
    // The same examples in every run, so that a change is killed in all of them or in none.
    configureGlobal({ seed: 1 });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const tests = await this.#run(await this.#loaded(), this.#included, false);
    const durations = tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]);
    writeFileSync(this.#options.durations, JSON.stringify(Object.fromEntries(durations)));
    return { status: 'complete', tests, mutantCoverage: this.#instrumented.mutantCoverage };
  }

  async mutantRun({ activeMutant, sandboxFileName, mutantActivation, testFilter, hitLimit }: MutantRun) {
    const file = relative(process.cwd(), sandboxFileName);
    const { location, replacement } = activeMutant;
    const [start, end] = [fromOne(location.start), fromOne(location.end)];
    const change: Change = { file, start, end, became: oneLine(replacement) };
    if (!isSampled(change, this.#options.sample)) return { status: 'survived', nrOfTests: 0 };
    this.#instrumented.hitLimit = hitLimit;
    this.#instrumented.hitCount = hitLimit === undefined ? undefined : 0;
    if (mutantActivation === 'static') this.#instrumented.activeMutant = activeMutant.id;
    const mocha = await this.#loaded(file).catch(String);
    if (typeof mocha === 'string') return killed('the import of the tests', mocha, 0);
    this.#durations ??= JSON.parse(readFileSync(this.#options.durations, 'utf8')) as Durations;
    this.#instrumented.activeMutant = activeMutant.id;
    const tests = await this.#run(mocha, testFilter === undefined ? this.#included : oneOf(testFilter), true);
    if ((this.#instrumented.hitCount ?? 0) > (hitLimit ?? Infinity)) return { status: 'timeout', reason: 'hit limit' };
    const failed = tests.find(({ status }) => status === 1);
    if (failed === undefined) return { status: 'survived', nrOfTests: tests.length };
    return killed(failed.id, failed.failureMessage, tests.length);
  }

  /** Loads the tests once, those of the changed file's folder first. */
  async #loaded(changed = ''): Promise<Mocha> {
    if (this.#mocha !== null) return this.#mocha;
    const mocha = new Mocha({ timeout: 60_000, reporter: Silent });
    mocha.cleanReferencesAfterRun(false);
    const nearest = `test${sep}${dirname(changed)}`;
    const files = globSync([...this.#options.tests]).toSorted();
    const isNear = (file: string): boolean => file.startsWith(nearest);
    for (const file of [...files.filter(isNear), ...files.filter((one) => !isNear(one))]) mocha.addFile(resolve(file));
    await mocha.loadFilesAsync();
    this.#mocha = mocha;
    return mocha;
  }

  #run(mocha: Mocha, included: RegExp, bail: boolean): Promise<readonly Ended[]> {
    const tests: Ended[] = [];
    setBail(mocha.suite, bail);
    mocha.grep(included);
    return new Promise((done) => {
      const runner = mocha.run(() => done(tests));
      runner.on('test', (test) => {
        const id = (this.#instrumented.currentTestId = test.fullTitle());
        // A change may let a test wait for what will never come. The margin is wide: such an end counts as noticed.
        if (this.#durations !== null) test.timeout(2000 + 10 * (this.#durations[id] ?? 0));
      });
      runner.on('pass', (test) => tests.push(ended(test)));
      runner.on('fail', (test, error) => tests.push({ ...ended(test), status: 1, failureMessage: String(error) }));
    });
  }
}

/** Reports nothing. */
class Silent extends Mocha.reporters.Base {}

function instrumented(): Instrumented {
  const name = '__stryker__';
  const scope = globalThis as { [name]?: Instrumented };
  return (scope[name] ??= {});
}

function fromOne({ line, column }: Position): Position {
  return { line: line + 1, column: column + 1 };
}

function killed(by: string, failureMessage: string | undefined, nrOfTests: number) {
  return { status: 'killed', killedBy: [by], failureMessage, nrOfTests };
}

function ended(test: Mocha.Runnable): Ended {
  const id = test.fullTitle();
  return { id, name: id, timeSpentMs: test.duration ?? 0, status: 0 };
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const child of suite.suites) setBail(child, bail);
}

function oneOf(titles: readonly string[]): RegExp {
  const escaped = titles.map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^(?:${escaped.join('|')})$`);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'mocha-12', injectableClass: MochaRunner }];
