import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { fileOf } from '../../../docs/generate/repository.ts';
import { inCheckout } from '../../support/documents/in-checkout.ts';
import { outputs } from '../../support/run/output-search.ts';

/** An event of a payment provider, as docs/billing.md brings it to the handlers. */
export interface BillingEvent {
  readonly type: string;
  readonly subscription: Readonly<Record<string, string>>;
}

/** A delivery of a vendor, as its web server gets it. */
export interface VendorDelivery {
  readonly vendor: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Mail {
  readonly email: string;
  readonly key: string;
}

/** A process that answers one delivery after another. */
export interface RunningHandler {
  /** Delivers one after another, and returns the statuses that it answers. */
  deliver(...deliveries: readonly (BillingEvent | VendorDelivery)[]): Promise<readonly number[]>;
  /** Ends it. Throws if it has written to standard error. */
  stop(): Promise<void>;
}

/** The code that somebody who copies a handler adds to it, in one language. */
export interface Language {
  /** The program that runs the handler. */
  readonly program: string;
  /** The folder of its files in examples/billing. */
  readonly folder: string;
  /** The files beside those of the folder; `main` handles each line of standard input and prints the status. */
  readonly files: { readonly mail: string; readonly main: string };
  readonly mail: string;
  readonly main: string;
  /** The number of times that it sends a request whose answer is lost. */
  readonly tries: number;
}

export const languages: Readonly<Record<'node' | 'python', Language>> = {
  node: {
    program: process.execPath,
    folder: 'node',
    tries: 4,
    files: { mail: 'mail.mjs', main: 'main.mjs' },
    mail: `
      import { appendFile } from 'node:fs/promises';
      export const sendKey = (email, key) => appendFile('mails', JSON.stringify({ email, key }) + '\\n');
    `,
    main: `
      import { createInterface } from 'node:readline';
      import { handle } from './handler.mjs';
      async function answer({ vendor, ...delivery }) {
        if (vendor === undefined) return handle(delivery).then(() => 200);
        const events = await (await import('./' + vendor + '.mjs')).eventsOf(delivery);
        for (const event of events ?? []) await handle(event);
        return events === null ? 401 : 200;
      }
      for await (const line of createInterface({ input: process.stdin })) {
        console.log(await answer(JSON.parse(line)).catch(() => 500));
      }
    `,
  },
  python: {
    program: 'python3',
    folder: 'python',
    tries: 1,
    files: { mail: 'mail.py', main: 'main.py' },
    mail: `
import json
def send_key(email, key):
    with open("mails", "a") as file:
        file.write(json.dumps({"email": email, "key": key}) + "\\n")
`,
    main: `
import importlib, json, sys
from handler import handle

def answer(vendor=None, **delivery):
    if vendor is None:
        handle(delivery)
        return 200
    events = importlib.import_module(vendor).events_of(**delivery)
    for event in events or []:
        handle(event)
    return 401 if events is None else 200

for line in sys.stdin:
    try:
        print(answer(**json.loads(line)), flush=True)
    except Exception:
        print(500, flush=True)
`,
  },
};

const examples = fileOf('examples/billing');

/** The files of a language, by their names. */
export async function filesOf({ folder }: Language): Promise<ReadonlyMap<string, string>> {
  const names = globSync('*.{mjs,py}', { cwd: join(examples, folder) }).toSorted();
  const read = async (name: string) => [name, await readFile(join(examples, folder, name), 'utf8')] as const;
  return new Map(await Promise.all(names.map(read)));
}

/** A handler of examples/billing, in a folder of its own. */
export class WebhookHandler {
  readonly #folder: string;
  readonly #language: Language;

  private constructor(folder: string, language: Language) {
    this.#folder = folder;
    this.#language = language;
  }

  static async copy(language: Language, tiers: object = {}): Promise<WebhookHandler> {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const { files, mail, main } = language;
    for (const [name, program] of await filesOf(language)) await writeFile(join(folder, name), inCheckout(program));
    const documented = JSON.parse(await readFile(join(examples, 'tiers.json'), 'utf8')) as object;
    await writeFile(join(folder, 'tiers.json'), JSON.stringify({ ...documented, ...tiers }));
    await writeFile(join(folder, files.mail), mail);
    await writeFile(join(folder, files.main), main);
    return new WebhookHandler(folder, language);
  }

  /** Starts a process of the handler. */
  start(environment: NodeJS.ProcessEnv): RunningHandler {
    const { program, files } = this.#language;
    const child = spawn(program, [files.main], { cwd: this.#folder, env: { ...process.env, ...environment } });
    outputs.watch(child, ['the handler of a webhook']);
    const stderr = text(child.stderr);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      deliver: async (...deliveries) => {
        child.stdin.write(deliveries.map((delivery) => `${JSON.stringify(delivery)}\n`).join(''));
        const statuses: number[] = [];
        for (const _ of deliveries) statuses.push(Number((await answers.next()).value));
        return statuses;
      },
      stop: async () => {
        const closed = once(child, 'close');
        child.stdin.end();
        await closed;
        if ((await stderr) !== '') throw new Error(await stderr);
      },
    };
  }

  /** Every mail that was sent, the first one first. */
  async mails(): Promise<readonly Mail[]> {
    const lines = await readFile(join(this.#folder, 'mails'), 'utf8').catch(() => '');
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Mail);
  }

  /** Makes it forget the sales and mails of before, also in what the handler of Python keeps of them. */
  async forget(): Promise<void> {
    await rm(join(this.#folder, 'mails'), { force: true });
    const mailed = join(this.#folder, 'mailed.db');
    if (!existsSync(mailed)) return;
    const connection = new Database(mailed);
    connection.exec('DELETE FROM mailed');
    connection.close();
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
