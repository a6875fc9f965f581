import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What nothing may tell but an answer that is for it: real forms, and those that the tests give to such things. */
const forms = {
  'app key': /svc_sk_/,
  'license key': /\blk(?:-[0-9a-z]{5}){6}|\ba-[a-z-]*(?:license|key)-|acme-license|k{24}|the-key-of-/i,
  'idempotency key': /\bkey-0000/,
  address: /\w@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i,
} as const;

/** Findings that are kept. */
const most = 100;

type Secret = keyof typeof forms;

/** What commands print on standard output because it is what they are for; all else that is written is a log. */
const answers: readonly (readonly [command: string, secret: Secret])[] = [
  ['key issue', 'app key'],
  ['key rotate', 'app key'],
  ['entitlement grant', 'license key'],
  ['license rotate', 'license key'],
  ['waitlist export', 'address'],
  ['demo', 'app key'],
  ['demo', 'license key'],
  ['demo', 'address'],
];

/** The kinds of secrets in a text. */
export function secretsIn(text: string): readonly Secret[] {
  return (Object.keys(forms) as Secret[]).filter((secret) => forms[secret].test(text));
}

/** Looks through everything that the programs of the tests write. */
export class OutputSearch {
  readonly #found: string[] = [];

  /** A sentence for each line that tells a secret; the first hundred. */
  get found(): readonly string[] {
    return this.#found;
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
  watch({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>, args: readonly string[]): void {
    if (stdout !== null) eachLine(stdout, (line) => this.stdout(args, line));
    if (stderr !== null) eachLine(stderr, (line) => this.log(`standard error of ${args.join(' ')}`, line));
  }

  #search(source: string, text: string, allowed: readonly Secret[]): void {
    for (const line of text.split('\n')) {
      const told = secretsIn(line).filter((secret) => !allowed.includes(secret));
      if (told.length > 0 && this.#found.length < most)
        this.#found.push(`${source} tells ${told.join(' and ')}: ${line.slice(0, 300)}`);
    }
  }
}

/** Of the whole run; a root hook of mocha looks at it in the end. */
export const outputs = new OutputSearch();

function allowedTo(args: readonly string[]): readonly Secret[] {
  const words = ` ${args.join(' ')} `;
  return answers.filter(([command]) => words.includes(` ${command} `)).map(([, secret]) => secret);
}

/** Without taking the lines away from whoever else reads the stream. */
function eachLine(stream: Readable, line: (text: string) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer | string) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const whole of lines) line(whole);
  });
  stream.on('close', () => line(rest));
}
