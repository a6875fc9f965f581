import { expect } from 'chai';
import { nodePlatform } from '../../app/service/platform.ts';
import type { NewCall } from '../../core/call.ts';
import { authenticateKey } from '../../core/key/check-key.ts';
import { newKey } from '../../core/key/key-kind.ts';
import { operatorKeyKind } from '../../core/key/operator/operator-key.ts';
import { issueOperatorKey } from '../../core/key/operator/operator-keys.ts';
import { defaultConsoleIdle, type OperatorSession } from '../../core/operator-session/operator-session.ts';
import { prunedSessions } from '../../core/operator-session/operator-sessions.port.ts';
import { findOperatorSession, pruneOperatorSessions, signIn } from '../../core/operator-session/operator-sessions.ts';
import { aCall, anOperatorSession, hour, later, noon } from '../support/builders.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { inGroups, range } from '../support/range.ts';
import { crc32, sha256 } from '../support/run/secrets.ts';
import { beside, freshStore, type OpenedStore, type OpenStore } from '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

const { newOperatorKeyId, newSessionToken, randomBytes } = nodePlatform;

/** The promises of every store about the sessions of operators. */
export function operatorSessionsContract(open: OpenStore): void {
  describe('the sessions of operators', () => {
    const store = freshStore(open);
    const allStored = (digests: readonly string[]): Promise<readonly (OperatorSession | null)[]> =>
      beside(store(), ({ operatorSessions }) =>
        Promise.all(digests.map((digest) => operatorSessions.find(digest, aCall()))),
      );
    const stored = async (): Promise<OperatorSession | null> => (await allStored(['digest']))[0] ?? null;

    it('are found by every process as they were added, instants to the millisecond', async () => {
      const session = anOperatorSession({ createdAt: later(1), lastUsedAt: later(2) });
      await store().operatorSessions.add(session, aCall());
      await store().operatorSessions.add(anOperatorSession({ digest: 'other' }), aCall());
      expect(await allStored(['digest', 'other'])).to.deep.equal([session, anOperatorSession({ digest: 'other' })]);
    });

    it('are not found under an unknown digest, an empty one, or one in another case', async () => {
      await store().operatorSessions.add(anOperatorSession(), aCall());
      expect(await allStored(['unknown', '', 'DIGEST', 'opk_1'])).to.deep.equal(range(4).map(() => null));
    });

    it('keep the latest of the uses that twenty requests record at once', async () => {
      await store().operatorSessions.add(anOperatorSession(), aCall());
      await store().operatorSessions.add(anOperatorSession({ digest: 'other' }), aCall());
      const uses = range(20).map((number) => later((number * 7) % 20));
      await Promise.all(uses.map((at) => store().operatorSessions.recordUse('digest', at, aCall())));
      await store().operatorSessions.recordUse('digest', later(-1), aCall());
      expect(await allStored(['digest', 'other'])).to.deep.equal([
        anOperatorSession({ lastUsedAt: later(19) }),
        anOperatorSession({ digest: 'other' }),
      ]);
    });

    it('stay removed, whatever uses and removals come at once', async () => {
      const { operatorSessions } = store();
      await operatorSessions.add(anOperatorSession(), aCall());
      await operatorSessions.add(anOperatorSession({ digest: 'other' }), aCall());
      await Promise.all(
        range(20).map((number) =>
          number % 2 === 0
            ? operatorSessions.remove('digest', aCall())
            : operatorSessions.recordUse('digest', later(number), aCall()),
        ),
      );
      expect(await stored()).to.equal(null);
      await operatorSessions.remove('digest', aCall());
      await operatorSessions.recordUse('digest', later(99), aCall());
      expect(await allStored(['digest', 'other'])).to.deep.equal([null, anOperatorSession({ digest: 'other' })]);
    });

    it('are removed once they have ended, at most so many at once', async () => {
      const { operatorSessions } = store();
      const end = { createdAt: later(-12 * hour), lastUsedAt: later(-hour) };
      const ended = [
        anOperatorSession({ digest: 'too old', createdAt: end.createdAt }),
        anOperatorSession({ digest: 'unused', createdAt: later(-2 * hour), lastUsedAt: end.lastUsedAt }),
        ...range(prunedSessions).map((number) =>
          anOperatorSession({ digest: `old ${number}`, createdAt: later(-13 * hour) }),
        ),
      ];
      const others = [
        anOperatorSession({ digest: 'young', createdAt: later(-12 * hour + 1) }),
        anOperatorSession({ digest: 'used', createdAt: later(-2 * hour), lastUsedAt: later(-hour + 1) }),
      ];
      await inGroups([...ended, ...others], (session) => operatorSessions.add(session, aCall()));
      const removed = [];
      for (const _ of range(3)) removed.push(await operatorSessions.prune(end, aCall()));
      expect(removed).to.deep.equal([prunedSessions, 2, 0]);
      const kept = await allStored([...others, ...ended.slice(0, 3)].map(({ digest }) => digest));
      expect(kept).to.deep.equal([...others, null, null, null]);
    });

    it('are removed once by ten that prune at once', async () => {
      for (const number of range(30))
        await store().operatorSessions.add(anOperatorSession({ digest: `${number}` }), aCall());
      const prune = pruneOperatorSessions(store().operatorSessions);
      const counts = await Promise.all(range(10).map(() => prune(defaultConsoleIdle, anHourLater)));
      expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(30);
    });

    it('end on every process with their key', async () => {
      const { token } = await begin(store());
      await beside(store(), async (other) => {
        const found = await find(other, token);
        expect(found?.session.digest).to.equal(sha256(token));
        await store().allOperatorKeys.end(found?.operatorKey.id ?? '', { revokedAt: noon }, aCall());
        expect([await find(other, token), await find(store(), token)]).to.deep.equal([null, null]);
      });
    });

    for (const when of moments) {
      it(`are begun again after an addition that failed ${when} it took effect`, async () => {
        const operatorSessions = failing(store().operatorSessions, { method: 'add', nth: 1, when });
        const key = await issue(store());
        expect(await thrownBy(begin({ ...store(), operatorSessions }, key))).to.be.instanceOf(InjectedFault);
        const { token } = await begin({ ...store(), operatorSessions }, key);
        expect((await find(store(), token))?.session.digest).to.equal(sha256(token));
      });

      it(`are gone after a removal that failed ${when} it took effect and was repeated`, async () => {
        await store().operatorSessions.add(anOperatorSession(), aCall());
        const faulty = failing(store().operatorSessions, { method: 'remove', nth: 1, when });
        await thrownBy(faulty.remove('digest', aCall()));
        expect(await stored()).to.deep.equal(when === 'before' ? anOperatorSession() : null);
        await faulty.remove('digest', aCall());
        expect(await stored()).to.equal(null);
      });
    }
  });
}

const anHourLater: NewCall = () => aCall({ now: later(hour) });

async function issue({
  allOperatorKeys,
  products,
}: Pick<OpenedStore, 'allOperatorKeys' | 'products'>): Promise<string> {
  const makeKey = newKey(operatorKeyKind, newOperatorKeyId, randomBytes, crc32, sha256);
  const request = { id: null, name: 'Support', products: null, scopes: ['admin:read'], expiresAt: null } as const;
  return (await issueOperatorKey(products, allOperatorKeys, makeKey)(request, aCall())).key ?? '';
}

async function begin(store: Omit<OpenedStore, 'archive'>, key: string | null = null) {
  const authenticate = authenticateKey(operatorKeyKind, store.operatorKeys, sha256, crc32);
  const presented = key ?? (await issue(store));
  return signIn(store.operatorSessions, authenticate, newSessionToken, sha256)(presented, aCall());
}

function find({ operatorSessions, allOperatorKeys }: OpenedStore, token: string) {
  return findOperatorSession(operatorSessions, allOperatorKeys, sha256, defaultConsoleIdle)(token, aCall());
}
