import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';

/** The forms of secrets, real ones and those of the tests. Only the answers below may have them. */
const forms = {
  'app key': /svc_sk_/,
  'operator key': /svc_op_/,
  'license key': /\blk(?:-[0-9a-z]{5}){6}|\ba-[a-z-]*(?:license|key)-|acme-license|k{24}|the-key-of-/i,
  'idempotency key': /\bkey-0000/,
  'webhook secret': /whsec_/,
  // The beginning of its header, and the member of a JWK that only its owner may know.
  receipt: /eyJhbGciOiJFUzI1NiIs/,
  'signing key': /"d":"[\w-]{43}"/,
  address: /\w@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i,
} as const;

/** The maximum of findings that are kept. */
const maxFound = 100;

type Secret = keyof typeof forms;

/** Secrets that a command prints to standard output because that is its purpose. Everything else is a log. */
const answers: readonly (readonly [command: string, secret: Secret])[] = [
  ['key issue', 'app key'],
  ['key rotate', 'app key'],
  ['operator issue', 'operator key'],
  ['operator rotate', 'operator key'],
  ['entitlement grant', 'license key'],
  ['--print', 'license key'],
  ['license rotate', 'license key'],
  ['license receipt', 'receipt'],
  ['webhook add', 'webhook secret'],
  ['webhook rotate-secret', 'webhook secret'],
  ['waitlist export', 'address'],
  ...['add', 'list', 'show', 'set', 'end'].map((verb) => [`affiliate ${verb}`, 'address'] as const),
  ['statement show', 'address'],
  ['listing export', 'address'],
  ['listing list', 'address'],
  ['demo', 'app key'],
  ['demo', 'operator key'],
  ['demo', 'license key'],
  ['demo', 'address'],
  ['texts print', 'address'],
];

/** The kinds of secrets in a text. */
export function secretsIn(text: string): readonly Secret[] {
  return (Object.keys(forms) as Secret[]).filter((secret) => forms[secret].test(text));
}

/** Searches everything that the programs of the tests write for secrets. */
export class OutputSearch {
  #found: string[] = [];
  readonly #searched = new WeakSet<object>();

  /** The first hundred lines that have a secret, and processes whose output is not searched. */
  get found(): readonly string[] {
    return this.#found;
  }

  /** Gives what was found since it was last taken. */
  takeFound(): readonly string[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Searches lines of a log or of standard error. */
  log(source: string, text: string): void {
    this.#search(source, text, []);
  }

  /** Searches what a command line wrote to standard output. */
  stdout(args: readonly string[], text: string): void {
    this.#search(`standard output of ${args.join(' ')}`, text, allowedTo(args));
  }

  /** Searches both outputs of a process, line by line as they come; `args` are those of its command line. */
  watch(child: Pick<ChildProcess, 'stdout' | 'stderr'>, args: readonly string[]): void {
    const { stdout, stderr } = child;
    this.#searched.add(child);
    if (stdout !== null) eachLine(stdout, (line) => this.stdout(args, line));
    if (stderr !== null) eachLine(stderr, (line) => this.log(`standard error of ${args.join(' ')}`, line));
  }

  /** Says that a test searches the output of a process itself. */
  leave(child: ChildProcess): void {
    this.#searched.add(child);
  }

  /** From now on, a process of Node whose output is not searched is a finding. Returns a function that ends this. */
  requireOfEveryProcess(): () => void {
    const onProcess = (message: unknown): void => {
      const { process: child } = message as { readonly process: ChildProcess };
      // The message is sent before the process is started, and so before a test can have it searched.
      setImmediate(() => {
        const isNode = child.spawnfile === process.execPath;
        if (isNode && !this.#searched.has(child)) this.#add(`not searched: ${child.spawnargs.join(' ')}`);
      });
    };
    subscribe('child_process', onProcess);
    return () => unsubscribe('child_process', onProcess);
  }

  #search(source: string, text: string, allowed: readonly Secret[]): void {
    for (const line of text.split('\n')) {
      const told = secretsIn(line).filter((secret) => !allowed.includes(secret));
      if (told.length > 0) this.#add(`${source} tells ${told.join(' and ')}: ${line.slice(0, 300)}`);
    }
  }

  #add(finding: string): void {
    if (this.#found.length < maxFound) this.#found.push(finding);
  }
}

/** The search of this process. A root hook of mocha checks it. */
export const outputs = new OutputSearch();

function allowedTo(args: readonly string[]): readonly Secret[] {
  const words = ` ${args.join(' ')} `;
  return answers.filter(([command]) => words.includes(` ${command} `)).map(([, secret]) => secret);
}

/** Calls back with each line, while others may read the stream as well. */
function eachLine(stream: Readable, line: (text: string) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer | string) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const whole of lines) line(whole);
  });
  stream.on('close', () => line(rest));
}
