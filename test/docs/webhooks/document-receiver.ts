import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { outputs } from '../../support/run/output-search.ts';

/** The code that the reader of the document adds to a receiver, in one language. */
interface Language {
  readonly program: string;
  /** The language of the code block. */
  readonly block: string;
  readonly files: { readonly receiver: string; readonly access: string };
  readonly access: string;
}

export const languages: Readonly<Record<'node' | 'python', Language>> = {
  node: {
    program: process.execPath,
    block: 'js',
    files: { receiver: 'receiver.mjs', access: 'access.mjs' },
    access: `
      import { appendFile } from 'node:fs/promises';
      export const apply = async (type, { id, status }) => {
        if (process.env.FAILS === id) throw new Error('the database is down');
        await appendFile('applied', JSON.stringify([type, id, status]) + '\\n');
      };`,
  },
  python: {
    program: 'python3',
    block: 'python',
    files: { receiver: 'receiver.py', access: 'access.py' },
    access: [
      'import json, os',
      'def apply(type, entitlement):',
      '    if os.environ.get("FAILS") == entitlement["id"]:',
      '        raise RuntimeError("the database is down")',
      '    with open("applied", "a") as file:',
      '        file.write(json.dumps([type, entitlement["id"], entitlement["status"]]) + "\\n")',
    ].join('\n'),
  },
};

/** A receiver of docs/webhooks.md, as its reader would run it. */
export class DocumentReceiver {
  readonly #language: Language;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(language: Language, folder: string, port: number) {
    this.#language = language;
    this.#folder = folder;
    this.#port = port;
  }

  /** A receiver whose `apply` is that of `access`. */
  static async extract(language: Language, access = language.access): Promise<DocumentReceiver> {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-receiver-'));
    const [source = ''] = (await readMarkdown('docs/webhooks.md')).codeBlocks(language.block);
    await writeFile(join(folder, language.files.receiver), source);
    await writeFile(join(folder, language.files.access), access);
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
    const [port = 0] = await freePorts(1);
    return new DocumentReceiver(language, folder, port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/latchkey`;
  }

  /** Starts the receiver. With `FAILS` it fails to apply the events of that entitlement. */
  async start(secret: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const { program, files } = this.#language;
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(this.#port), ...settings };
    const child = spawn(program, [files.receiver], { cwd: this.#folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    outputs.watch(child, [files.receiver]);
    this.#process = child;
    await eventually(
      () => this.#isListening(),
      (isListening) => isListening,
    );
  }

  async stop(): Promise<void> {
    if (this.#process === null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
    this.#process = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true });
  }

  /** The arguments with which `apply` was called. */
  async applied(): Promise<readonly unknown[]> {
    const lines = await readFile(join(this.#folder, 'applied'), 'utf8').catch(() => '');
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  async #isListening(): Promise<boolean> {
    const socket = connect(this.#port, '127.0.0.1');
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isConnected;
  }
}
