import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneLine, type Mutant, type Position } from './mutant.ts';
import type { Target } from './targets.ts';

const program = 'node_modules/.cache/mutate/node_modules/@stryker-mutator/core/bin/stryker.js';

/** The part of the report of StrykerJS that is read here. */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly location: { readonly start: Position; readonly end: Position };
          readonly replacement: string;
          readonly status: Mutant['status'];
          readonly static?: boolean;
        }[];
      }
    >
  >;
}

/**
 * Runs StrykerJS over the files of some patterns, which may end with a range of lines and columns. Changes of code that
 * runs while the sources are loaded need a new process each; they are left out unless `isStatic`.
 */
export async function runStryker(
  { tests, titles, sample, without }: Target,
  sources: readonly string[],
  isStatic: boolean,
): Promise<readonly Mutant[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const [options, report] = [join(folder, 'options.json'), join(folder, 'report.json')];
    await writeFile(
      options,
      JSON.stringify({
        mutate: sources,
        testRunner: 'mocha-12',
        plugins: ['./test/mutate/mocha-runner.ts'],
        latchkey: { tests, titles, sample, durations: join(folder, 'durations.json') },
        coverageAnalysis: 'perTest',
        ignoreStatic: !isStatic,
        concurrency: availableParallelism(),
        timeoutMS: 10_000,
        timeoutFactor: 3,
        tsconfigFile: 'none',
        disableTypeChecks: false,
        symlinkNodeModules: false,
        reporters: ['json', 'progress-append-only'],
        jsonReporter: { fileName: report },
        allowConsoleColors: false,
        warnings: false,
      }),
    );
    const env = { ...process.env, TEST_WITHOUT: without, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const child = spawn(process.execPath, [program, 'run', options], { stdio: 'inherit', env });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error('StrykerJS has failed.');
    return mutantsIn(JSON.parse(await readFile(report, 'utf8')) as Report);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function mutantsIn(report: Report): readonly Mutant[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ location: { start, end }, replacement, status, static: isStatic = false }) => ({
      file,
      start,
      end,
      line: (lines[start.line - 1] ?? '').trim(),
      was: oneLine(textBetween(lines, start, end)),
      became: oneLine(replacement),
      status,
      isStatic,
    }));
  });
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const own = lines.slice(start.line - 1, end.line);
  const last = (own.at(-1) ?? '').slice(0, end.column - 1);
  return [...own.slice(0, -1), last].join('\n').slice(start.column - 1);
}
