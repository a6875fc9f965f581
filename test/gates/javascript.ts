import * as client from '../../client/index.ts';
import type { SigningKeySet, TrialGate } from '../../client/index.ts';
import type { Members } from '../../testing/gates/cases.ts';
import type { GateUnderTest } from '../../testing/gates/judge.ts';

/** A message of the judge. */
interface Message {
  readonly call: string;
  readonly now?: string;
  readonly lastSeen?: string;
  readonly baseUrl: string;
  readonly keys: SigningKeySet;
  readonly productId: string;
  readonly device: { readonly id: string; readonly name?: string } | null;
  readonly deviceId?: string;
  readonly timeout: number;
  readonly storage: 'works' | 'fails';
  readonly stored: string | null;
  readonly licenseKey: string | null;
  readonly trial?: boolean;
  readonly releasedAt?: string;
  readonly replace?: string;
  readonly receipt: string;
}

/** The gate of a client, as the judge drives it. */
export class JavaScriptGate implements GateUnderTest {
  readonly #client: typeof client;
  #gate: TrialGate | null = null;
  #text: string | null = null;
  #now = new Date();

  constructor(from = client) {
    this.#client = from;
  }

  async send(sent: Members): Promise<Members> {
    const message = sent as unknown as Message;
    if (message.now !== undefined) this.#now = new Date(message.now);
    switch (message.call) {
      case 'hello':
        return {};
      case 'open':
        return this.#open(message);
      case 'verifyReceipt': {
        const { receipt, keys, productId, licenseKey, deviceId, lastSeen, trial } = message;
        const seen = lastSeen === undefined ? undefined : new Date(lastSeen);
        const options = {
          keys,
          productId,
          licenseKey: licenseKey ?? undefined,
          deviceId,
          trial,
          now: this.#now,
          lastSeen: seen,
        };
        return { result: plain(await this.#client.verifyReceipt(receipt, options)) };
      }
      default:
        return { result: plain(await this.#call(message)), stored: this.#text };
    }
  }

  #open({ baseUrl, keys, productId, device, timeout, storage, stored, trial = false, releasedAt }: Message): Members {
    const { LatchkeyClient, licenseGate } = this.#client;
    this.#text = stored;
    const failing = storage === 'fails';
    const options = {
      client: new LatchkeyClient({ baseUrl }),
      keys,
      productId,
      timeout,
      releasedAt: releasedAt === undefined ? undefined : new Date(releasedAt),
      now: () => this.#now,
      storage: {
        load: () => (failing ? this.#fail() : this.#text),
        save: (text: string) => (failing ? this.#fail() : void (this.#text = text)),
      },
    };
    if (device === null) this.#gate = licenseGate(options) as TrialGate;
    else if (trial) this.#gate = licenseGate({ ...options, device, trial });
    else this.#gate = licenseGate({ ...options, device });
    return {};
  }

  async #call({ call, licenseKey, replace, receipt }: Message): Promise<object> {
    const gate = this.#gate;
    if (gate === null) throw new Error('no gate is open');
    if (call === 'accept') return gate.accept(receipt);
    if (call === 'release') {
      return gate.release(licenseKey ?? '').then(
        () => ({ released: true }),
        (error: unknown) => ({
          released: false,
          code: error instanceof this.#client.LatchkeyError ? error.code : String(error),
        }),
      );
    }
    const { error: _, ...result } = { error: null, ...(await gate.check(licenseKey, { replace })) };
    return result;
  }

  #fail(): never {
    throw new Error('the disk is full');
  }
}

/** The JSON form of a value: members that are undefined are absent. */
function plain(value: object): Members {
  return JSON.parse(JSON.stringify(value)) as Members;
}
