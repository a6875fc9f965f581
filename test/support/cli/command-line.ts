import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { runCommandLine } from '../../../adapters/cli/command-line.ts';
import type { ExitCode } from '../../../adapters/cli/failure.ts';
import { WrongArgument } from '../../../adapters/cli/shell/errors.ts';
import type {
  DemoOptions,
  MissingStore,
  NewFile,
  OpenAdministration,
  ServeOptions,
  Shell,
} from '../../../adapters/cli/shell/shell.ts';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { restoreStore } from '../../../app/restore-store.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { describeSettings, settingFlags } from '../../../app/settings/describe.ts';
import { resolveForCommand, resolveSettings } from '../../../app/settings/resolve.ts';
import { migrateStore, openStorePair } from '../../../app/stores/open-store.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { LoggedChange } from '../../../core/administration/change-log.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { administrationOver, commandSettings } from '../administration.ts';
import { aCall } from '../builders.ts';
import { outputs } from '../run/output-search.ts';

/** The output and the exit code of one command line. */
export interface Run {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The program in this process, over one store; everything that it reaches of the world is seen here. The store is in
 * memory unless the ports of another are given.
 */
export class TestCommandLine {
  readonly store = new MemoryStore();
  readonly opened: ({ readonly url: string } & MissingStore)[] = [];
  readonly changes: LoggedChange[] = [];
  readonly served: ServeOptions[] = [];
  readonly demonstrated: DemoOptions[] = [];
  /** The files that commands have created, by their paths. */
  readonly files = new Map<string, string>();
  closed = 0;
  readonly #ports: StorePorts | null;

  constructor(ports: StorePorts | null = null) {
    this.#ports = ports;
  }

  /** Runs one command line; `stdin` and whatever else differs can be given. */
  async run(args: readonly string[], stdin: string | Uint8Array = '', overrides: Partial<Shell> = {}): Promise<Run> {
    const stdout = new TextSink();
    const stderr = new TextSink();
    const shell = {
      ...this.shell(),
      openFile: async () => ({ size: null, content: inPieces(stdin) }),
      stdin: inPieces(stdin),
      stdout,
      stderr,
      ...overrides,
    };
    try {
      const exitCode = await runCommandLine(args, shell);
      return { exitCode, stdout: stdout.text, stderr: stderr.text };
    } finally {
      search(args, shell);
    }
  }

  /** Runs a line of words with `--json`, expects it to succeed in silence, and gives its value. */
  async json(line: string, stdin?: string): Promise<unknown> {
    const { exitCode, stdout, stderr } = await this.run([...line.split(' '), '--json'], stdin);
    if (exitCode !== 0 || stderr !== '') throw new Error(`${line}: exit code ${exitCode}, ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The world of a command line, with streams that nobody reads. */
  shell(): Shell {
    return {
      environment: {},
      version: '9.8.7',
      settingFlags,
      checkSettings: async (typed) => void resolveSettings(typed, {}),
      effectiveSettings: (typed) => describeSettings(resolveSettings(typed, {})),
      siteTexts: (typed) => resolveSettings(typed, {}).settings.siteTexts,
      openStore: async (typed, may) => {
        this.opened.push({ url: resolveForCommand(typed, {}).store, ...may });
        return this.#administration();
      },
      migrateStore: (typed, options, call) =>
        migrateStore(resolveForCommand(typed, {}).store, options, () => undefined, call),
      restoreStore: (typed, backup, isStopped) =>
        restoreStore(resolveForCommand(typed, {}).store, backup, () => aCall(), isStopped),
      openStorePair,
      serve: async (options) => {
        resolveSettings(options.settings, {});
        this.served.push(options);
      },
      demo: async (options) => {
        resolveSettings(options.settings, {});
        this.demonstrated.push(options);
      },
      takeOverSignals: () => new AbortController().signal,
      newCall: () => aCall(),
      loadPlatform: async () => nodePlatform,
      log: (change) => {
        this.changes.push(change);
        outputs.log('the log of a command', JSON.stringify(change));
      },
      openFile: async () => ({ size: null, content: inPieces('') }),
      createFile: async (path) => this.#create(path),
      stdin: inPieces(''),
      stdout: new TextSink(),
      stderr: new TextSink(),
    };
  }

  #create(path: string): NewFile {
    if (this.files.has(path)) throw new WrongArgument('The file exists already: name a new one.');
    this.files.set(path, '');
    return {
      write: async (content) => void this.files.set(path, content),
      append: async (content) => void this.files.set(path, (this.files.get(path) ?? '') + content),
      close: async () => undefined,
      discard: async () => void this.files.delete(path),
    };
  }

  #administration(): OpenAdministration {
    const ports = this.#ports;
    const administration = ports === null ? administrationOver(this.store) : administrationOf(ports, nodePlatform);
    return { ...administration, ...commandSettings, close: async () => void (this.closed += 1) };
  }
}

/** The text that a failing command writes to standard error with `--json`. */
export function jsonError(code: string, error: string): string {
  return `${JSON.stringify({ code, error })}\n`;
}

/** Every command below one, with the words that call it. */
export function commandPaths(
  command: Command,
  above: readonly string[] = [],
): readonly { readonly names: readonly string[]; readonly command: Command }[] {
  return command.commands.flatMap((each) => {
    const names = [...above, each.name()];
    return [{ names, command: each }, ...commandPaths(each, names)];
  });
}

/** Searches what a command line has written for secrets. */
export function search(args: readonly string[], { stdout, stderr }: Pick<Shell, 'stdout' | 'stderr'>): void {
  if (stdout instanceof TextSink) outputs.stdout(args, stdout.text);
  if (stderr instanceof TextSink) outputs.log(`standard error of ${args.join(' ')}`, stderr.text);
}

/** A stream that keeps what is written; a terminal if it has columns. */
export class TextSink extends Writable {
  text = '';
  readonly columns?: number;

  constructor(columns?: number) {
    super();
    if (columns !== undefined) this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** In two pieces, as a pipe may bring it. */
async function* inPieces(input: string | Uint8Array): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(input);
  const middle = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, middle);
  yield bytes.subarray(middle);
}
