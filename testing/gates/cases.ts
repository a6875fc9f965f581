import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The features that a gate may lack: the composition of Unicode, trials, ends of updates. Such a gate leaves the case
 * out.
 */
export type Need = 'nfc' | 'trial' | 'updates';

/** The facts that the stored text must contain: the receipt, and the latest instant that the machine has seen. */
export interface Stored {
  readonly receipt: string | null;
  /** ISO 8601 with milliseconds. */
  readonly lastSeen: string | null;
}

/** The answer of the service to a request. */
export type Answer =
  /** `cut`: the connection ends before the body does. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: unknown;
      readonly cut?: true;
    }
  /** The connection ends without an answer; nothing ever comes; a body, or a header, comes bit by bit and does not end. */
  | 'closed'
  | 'silent'
  | 'endless'
  | 'endless-header';

/** A request that the gate must send, and its answer. */
export interface Exchange {
  readonly path: string;
  readonly body: Members;
  readonly answer: Answer;
}

/** One call of the gate, at an instant, and its whole outcome. */
export type Step = {
  readonly now: string;
  /** The requests that the gate sends, in their order, and no others. */
  readonly exchanges: readonly Exchange[];
  readonly result: Members;
  /** The stored text after the call. `unchanged`: exactly the text from before. */
  readonly stored: Stored | null | 'unchanged';
  /** Whether the program is restarted before: a new gate over the same storage. */
  readonly restart?: true;
} &
  /** A check without a key tries the product out. */
  (
    | { readonly call: 'check'; readonly licenseKey: string | null; readonly replace?: string }
    | { readonly call: 'accept'; readonly receipt: string }
    | { readonly call: 'release'; readonly licenseKey: string }
  );

export interface GateCase {
  readonly name: string;
  readonly device?: { readonly id: string; readonly name?: string };
  /** Whether a check without a key tries the product out. */
  readonly trial?: true;
  /** When this build was released; a build that does not say it is never too new. */
  readonly releasedAt?: string;
  readonly needs?: readonly Need[];
  /** The stored text at first: none, one that a gate has written, or any text. */
  readonly stored: Stored | null | { readonly text: string };
  /** `fails`: each call of the storage throws. */
  readonly storage?: 'fails';
  readonly steps: readonly Step[];
}

/** A text that is given as a receipt, and the result of verifying it. */
export interface ReceiptCase {
  readonly name: string;
  readonly receipt: string;
  /** The `kid`s of the keys that are trusted. Default: all of the file. */
  readonly keys?: readonly string[];
  readonly licenseKey?: string;
  readonly deviceId?: string;
  /** Whether it must be the receipt of a trial, and not of a license. */
  readonly trial?: true;
  readonly now: string;
  readonly lastSeen?: string;
  readonly result: Members;
  /** A trusted key has signed it, though the service never issues such a receipt: a less strict verifier may accept it. */
  readonly acceptable?: true;
  readonly needs?: readonly Need[];
}

/** The content of `gates/cases.json`, with a value in place of each of its names. */
export interface Cases {
  /** Changes when a runner must change. */
  readonly version: 1;
  /** The header field `API-Version` of each request. */
  readonly edition: string;
  readonly productId: string;
  /** The JWKS that the program has compiled in. */
  readonly keys: { readonly keys: readonly Members[] };
  readonly receipts: readonly ReceiptCase[];
  readonly gate: readonly GateCase[];
}

/** Reads `gates/cases.json`, with a value in place of each of its names. */
export async function readCases(): Promise<Cases> {
  const text = await readFile(fileURLToPath(import.meta.resolve('#gates/cases.json')), 'utf8');
  const { values, ...cases } = JSON.parse(text) as { readonly values: Members };
  return filledIn(cases, values) as Cases;
}

function filledIn(value: unknown, values: Members): unknown {
  if (typeof value === 'string') return textOf(value, values);
  if (Array.isArray(value)) return value.map((each: unknown) => filledIn(each, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, values)]));
}

/** A text with values in place of their names. A text that is a name alone is the value. */
function textOf(text: string, values: Members): unknown {
  const [, name = ''] = /^\{\{([\w-]+)\}\}$/.exec(text) ?? [];
  if (name !== '') return valueOf(values[name]);
  return text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, each: string) => String(valueOf(values[each])));
}

function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('repeat' in value)) return value;
  const { repeat, times } = value as { readonly repeat: string; readonly times: number };
  return repeat.repeat(times);
}
