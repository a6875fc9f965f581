import {
  LatchkeyClient,
  licenseGate,
  type GateDevice,
  type LicenseGate,
  type LicenseGateOptions,
} from '../../../client/index.ts';
import { later, noon } from '../builders.ts';
import { ReceiptSigner, type Members } from './receipt-signer.ts';

/** The answer of the service to one kind of request: a status and a body, silence, or no connection. */
export type ServiceAnswer =
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** A response of the test's own, made for each request. */
  | (() => Response | Promise<Response>)
  | 'silence'
  | 'no connection';

export function anAnswer(status: number, body: Members): Extract<ServiceAnswer, { readonly status: number }> {
  return { status, body: JSON.stringify(body) };
}

/** The text that a gate stores, as an object. */
export interface Stored {
  readonly receipt: string | null;
  /** An ISO text. */
  readonly lastSeen: string | null;
}

/** Milliseconds for which a test waits for what never comes. */
export const briefTimeout = 500;

/** A program with a gate, on a machine with a clock and a storage, and a service with scripted answers. */
export class GatedProgram {
  static readonly signer = new ReceiptSigner();

  now: Date = noon;
  /** The stored text. */
  text: string | null = null;
  verify: ServiceAnswer = 'no connection';
  receipt: ServiceAnswer = 'no connection';
  /** The paths of the requests so far, and the license keys in them. */
  readonly requests: string[] = [];
  readonly keys: unknown[] = [];
  readonly #options: LicenseGateOptions & { readonly device?: GateDevice };
  /** A gate for each timeout that was needed. */
  readonly #gates = new Map<number, LicenseGate>();

  constructor(options: Partial<LicenseGateOptions> & { readonly device?: GateDevice } = {}) {
    const client = new LatchkeyClient({
      baseUrl: 'http://licenses.example',
      fetch: (url, init) => this.#fetch(url, init),
    });
    this.#options = {
      client,
      keys: [GatedProgram.signer.publicKey],
      productId: 'prod_1',
      storage: { load: () => this.text, save: (text) => void (this.text = text) },
      now: () => this.now,
      ...options,
    };
  }

  /** Waits for the service as long as a slow machine needs, and for one that is silent only briefly. */
  get gate(): LicenseGate {
    const isSilent = this.verify === 'silence' || this.receipt === 'silence';
    const timeout = isSilent ? briefTimeout : 60_000;
    const gate = this.#gates.get(timeout) ?? licenseGate({ timeout, ...this.#options });
    this.#gates.set(timeout, gate);
    return gate;
  }

  get stored(): Stored | null {
    if (this.text === null) return null;
    const { version: _, ...stored } = JSON.parse(this.text) as Stored & { readonly version: number };
    return stored;
  }

  /** Stores a receipt, as a gate that was asked an hour ago. */
  store(receipt: string | null, lastSeen = later(-3_600_000)): void {
    this.text = JSON.stringify({ version: 1, receipt, lastSeen: lastSeen.toISOString() });
  }

  async #fetch(url: unknown, init: RequestInit | undefined): Promise<Response> {
    const { pathname } = new URL(String(url));
    this.requests.push(pathname);
    this.keys.push((JSON.parse(init?.body as string) as { readonly licenseKey?: unknown }).licenseKey);
    const answer = pathname.endsWith('/receipt') ? this.receipt : this.verify;
    if (answer === 'no connection') throw new TypeError('fetch failed');
    if (answer === 'silence') return aborted(init?.signal);
    return typeof answer === 'function' ? answer() : new Response(answer.body, answer);
  }
}

/** Rejects when the client aborts the request. */
function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}
