import { setTimeout as pause } from 'node:timers/promises';
import { getPage, sendForm, type ReceivedPage } from '../../web/page-client.ts';

export const makers = ['ent_maker_1', 'ent_maker_2', 'ent_maker_3'] as const;
export const buyers = ['ent_buyer_1', 'ent_buyer_2', 'ent_buyer_3'] as const;

/** The changes that a buyer makes again and again, each with its event. */
const changes = [
  ['cancel', 'entitlement.cancellation_scheduled'],
  ['resume', 'entitlement.cancellation_undone'],
  ['replace', 'license.rotated'],
] as const;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

/** Milliseconds between two changes of a buyer, and between two links of a merchant. */
const interval = 100;
const linkInterval = 20;

/** The links of an entitlement from which on the next ones come slowly: over 20, so that the oldest go. */
const enoughLinks = 30;
const slowInterval = 1000;

/** The changes of a buyer that were answered, and the last key that was shown. */
interface Done {
  count: number;
  key: string | null;
}

/** A merchant who makes links for buyers, and buyers who use theirs at two servers, also twice at once. */
export class LinkTraffic {
  /** Each try to make a link: its token if it was acknowledged, otherwise null. */
  readonly made = new Map<string, (string | null)[]>(makers.map((id) => [id, []]));
  readonly done = new Map<string, Done>();
  readonly surprises: string[] = [];
  readonly #appKey: string;
  readonly #urls: () => readonly string[];
  /** Resolves when no server is starting, which needs the processor. */
  readonly #started: () => Promise<unknown>;
  readonly #stop = new AbortController();
  /** The server to which a form is on its way, for each buyer. */
  readonly #onTheWay = new Map<string, number>();

  constructor(appKey: string, urls: () => readonly string[], started: () => Promise<unknown>) {
    this.#appKey = appKey;
    this.#urls = urls;
    this.#started = started;
  }

  /** Resolves when it has been stopped, and the outcome of every change is known. */
  async run(): Promise<void> {
    await Promise.all([...makers.map((id) => this.#make(id)), ...buyers.map((id) => this.#buy(id))]);
  }

  /** Resolves when a form is on its way to a server, and each buyer has made a change. */
  async isAsking(server: number): Promise<void> {
    while (this.done.size < buyers.length || ![...this.#onTheWay.values()].includes(server)) await pause(1);
  }

  /** Resolves when enough links of each entitlement were made for the oldest to have gone. */
  async madeEnough(): Promise<void> {
    while ([...this.made.values()].some(({ length }) => length < enoughLinks)) await pause(5);
  }

  stop(): void {
    this.#stop.abort();
  }

  urlOf(server: number, path: string): string {
    return new URL(path, this.#urls()[server % 2]).href;
  }

  /** The types of the events of a buyer who has made `count` changes. */
  static eventsOf(count: number): readonly string[] {
    return Array.from({ length: count }, (_, turn) => changes[turn % changes.length]?.[1] ?? '');
  }

  async #makeLink(server: number, id: string): Promise<string | null> {
    try {
      const headers = { Authorization: `Bearer ${this.#appKey}` };
      const url = this.urlOf(server, `/api/app-entitlements/${id}/links`);
      const answer = await fetch(url, { method: 'POST', headers });
      const { data } = (await answer.json()) as { readonly data: { readonly url: string } };
      return data.url.slice(-43);
    } catch {
      return null;
    }
  }

  async #make(id: string): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const token = await this.#makeLink(turn, id);
      this.made.get(id)?.push(token);
      await pause(token === null ? retryInterval : turn < enoughLinks ? linkInterval : slowInterval);
      await this.#started();
    }
  }

  async #buy(id: string): Promise<void> {
    let token: string | null = null;
    // The first kill may cut it.
    for (let server = 0; token === null; server += 1) token = await this.#makeLink(server, id);
    const buyer: Done = { count: 0, key: null };
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const [change] = changes[buyer.count % changes.length] ?? changes[0];
      const path = `/license/links/${token}/${change}`;
      const { text } = await answered(turn, (server) => getPage(this.urlOf(server, path)));
      const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
      const isTwice = turn % 2 === 0;
      // Its answer is not read, as if it were lost.
      const twin = isTwice ? sendForm(this.urlOf(turn + 1, path), { version }).catch(() => null) : null;
      let sent = isTwice ? 1 : 0;
      const answer = await answered(turn, (server) => {
        sent += 1;
        this.#onTheWay.set(id, server % 2);
        return sendForm(this.urlOf(server, path), { version });
      });
      this.#onTheWay.delete(id);
      await twin;
      buyer.count += 1;
      this.done.set(id, buyer);
      if (change === 'replace') buyer.key = keyIn(answer);
      if (!isExpected(answer.status, change, sent)) {
        this.surprises.push(`${change} sent ${sent} times: ${answer.status}`);
      }
      await pause(interval);
      await this.#started();
    }
  }
}

/** Asks one server after the other until there is an answer. */
async function answered(first: number, ask: (server: number) => Promise<ReceivedPage>): Promise<ReceivedPage> {
  for (let server = first; ; server += 1) {
    const answer = await ask(server).catch(() => null);
    if (answer !== null && answer.status < 500) return answer;
    await pause(retryInterval);
  }
}

/** A form that a kill has cut may have made its change, which shows no key then. */
function isExpected(status: number, change: string, sent: number): boolean {
  if (change !== 'replace') return status === 303;
  return status === 200 || (status === 409 && sent > 1);
}

function keyIn({ text }: ReceivedPage): string | null {
  return /role="textbox"[^>]*>\s*(LK-[0-9A-Z-]+)\s*<\/code/.exec(text)?.[1] ?? null;
}
