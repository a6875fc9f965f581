import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../adapters/crypto/signing.ts';
import { checkStore } from '../../core/check/check-store.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { aCall } from '../support/builders.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';
import { getPage, sendForm, type ReceivedPage } from '../support/web/page-client.ts';

const kills = rounds(2, 20);
const appKey = 'svc_sk_live_of-the-crash-test';
const makers = ['ent_maker_1', 'ent_maker_2', 'ent_maker_3'] as const;
const buyers = ['ent_buyer_1', 'ent_buyer_2', 'ent_buyer_3'] as const;

/** What a buyer does again and again, and the event of it. */
const changes = [
  ['cancel', 'entitlement.cancellation_scheduled'],
  ['resume', 'entitlement.cancellation_undone'],
  ['replace', 'license.rotated'],
] as const;

for (const { name, address } of durableStores) {
  describe(`links for buyers on ${name}, whose two servers are killed ${kills} times beside makers and buyers`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    const servers: ServerProcess[] = [];
    const stop = new AbortController();
    /** Each try to make a link: its token if it was acknowledged, otherwise null. */
    const made = new Map<string, (string | null)[]>(makers.map((id) => [id, []]));
    /** The changes of each buyer that were answered, and the last key that was shown. */
    const done = new Map<string, { count: number; key: string | null }>();
    /** The server to which a form is on its way, for each buyer. */
    const onTheWay = new Map<string, number>();
    const surprises: string[] = [];

    before(async () => {
      at = await address();
      await fillStore(at.url, appKey, [...makers, ...buyers]);
      store = await openAt(at.url);
      servers.push(...(await Promise.all([startServerProcess(at.url), startServerProcess(at.url)])));
      const running = Promise.all([...makers.map(runMaker), ...buyers.map(runBuyer)]);
      for (const turn of range(kills)) {
        const killed = turn % 2;
        await pause(200 + Math.random() * 200);
        while (![...onTheWay.values()].includes(killed)) await pause(0);
        await pause(Math.random() * 5);
        await servers[killed]?.kill();
        servers[killed] = await startServerProcess(at.url);
      }
      stop.abort();
      await running;
    });
    after(async () => {
      for (const server of servers) await server.kill();
      await store.close();
      await at.remove();
    });

    const urlOf = (server: number, path: string): string => new URL(path, servers[server % 2]?.url).href;

    async function makeLink(server: number, id: string): Promise<string | null> {
      try {
        const headers = { Authorization: `Bearer ${appKey}` };
        const answer = await fetch(urlOf(server, `/api/app-entitlements/${id}/links`), { method: 'POST', headers });
        const { data } = (await answer.json()) as { readonly data: { readonly url: string } };
        return data.url.slice(-43);
      } catch {
        return null;
      }
    }

    async function runMaker(id: string): Promise<void> {
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        made.get(id)?.push(await makeLink(turn, id));
        await pause(10);
      }
    }

    async function runBuyer(id: string): Promise<void> {
      let token: string | null = null;
      // The first kill may cut it.
      for (let server = 0; token === null; server += 1) token = await makeLink(server, id);
      const buyer = { count: 0, key: null as string | null };
      done.set(id, buyer);
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        const [change] = changes[buyer.count % changes.length] ?? changes[0];
        const path = `/license/links/${token}/${change}`;
        const { text } = await answered(turn, (server) => getPage(urlOf(server, path)));
        const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
        const isTwice = turn % 2 === 0;
        // Its answer is not read, as if it were lost.
        const twin = isTwice ? sendForm(urlOf(turn + 1, path), { version }).catch(() => null) : null;
        let sent = isTwice ? 1 : 0;
        const answer = await answered(turn, (server) => {
          sent += 1;
          onTheWay.set(id, server % 2);
          return sendForm(urlOf(server, path), { version });
        });
        onTheWay.delete(id);
        await twin;
        buyer.count += 1;
        if (change === 'replace') buyer.key = keyIn(answer);
        if (!isExpected(answer.status, change, sent)) surprises.push(`${change} sent ${sent} times: ${answer.status}`);
      }
    }

    it('make each change once, whatever a kill has cut, and show one key for it', async () => {
      expect(surprises).to.deep.equal([]);
      const events = (await eventsIn(store)).map(({ event }) => event);
      for (const id of buyers) {
        const { count, key } = done.get(id) ?? { count: 0, key: null };
        const types = events.filter(({ entitlement }) => entitlement.id === id).map(({ type }) => type);
        expect(types, id).to.deep.equal(range(count).map((turn) => changes[turn % changes.length]?.[1]));
        const { license, version } = (await store.allEntitlements.find(id, aCall())) ?? {};
        expect(version).to.equal(1 + count);
        if (key !== null) expect(license?.digest).to.equal(licenseDigest(key, digest));
      }
      const findings = await checkStore(store, digest, publicPartOf)(() => aCall());
      expect(findings.filter(({ ok }) => !ok)).to.deep.equal([]);
    });

    it('open at both servers as long as they are not among the oldest of over 20', async () => {
      for (const [id, tries] of made) {
        expect(tries.filter((token) => token !== null).length, id).to.be.above(kills);
        // Those that a kill has cut count, or do not.
        for (const token of tries.slice(-15)) {
          if (token === null) continue;
          for (const server of range(2)) {
            expect((await getPage(urlOf(server, `/license/links/${token}`))).status).to.equal(200);
          }
        }
        const acknowledged = tries.filter((token) => token !== null);
        for (const token of acknowledged.slice(0, -20)) {
          expect(await store.buyerLinks.find(digest(token), aCall())).to.equal(null);
        }
      }
    });
  });
}

/** Asks one server after the other until there is an answer. */
async function answered(first: number, ask: (server: number) => Promise<ReceivedPage>): Promise<ReceivedPage> {
  for (let server = first; ; server += 1) {
    const answer = await ask(server).catch(() => null);
    if (answer !== null && answer.status < 500) return answer;
    await pause(5);
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
