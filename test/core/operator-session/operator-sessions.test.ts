import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { deadlineIn } from '../../../core/call.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { authenticateKey } from '../../../core/key/check-key.ts';
import { operatorKeyKind } from '../../../core/key/operator/operator-key.ts';
import { defaultConsoleIdle, maxSessionAge } from '../../../core/operator-session/operator-session.ts';
import type { OperatorSessions } from '../../../core/operator-session/operator-sessions.port.ts';
import {
  findOperatorSession,
  pruneOperatorSessions,
  signIn,
  signOut,
} from '../../../core/operator-session/operator-sessions.ts';
import { aCall, hour, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { crc32, sha256 } from '../../support/run/secrets.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const idle = defaultConsoleIdle;
const minute = hour / 60;

describe('the sessions of operators', () => {
  let data: MemoryStore;
  let keyOf: string;
  let id: string;
  beforeEach(async () => {
    data = new MemoryStore();
    const { issued, key } = await administration().issueOperatorKey(
      { id: null, name: 'Support', products: null, scopes: ['admin:read'], expiresAt: null },
      aCall(),
    );
    [id, keyOf] = [issued.id, key ?? ''];
  });

  it('begin with a usable key, and store the digest of a random token', async () => {
    const { token, session, operatorKey } = await begin();
    expect(token).to.match(/^[\w-]{43}$/);
    const expected = { digest: sha256(token), operatorKeyId: id, createdAt: noon, lastUsedAt: noon };
    expect([session, operatorKey]).to.deep.equal([expected, data.operatorKeys.find(id)]);
    expect([...data.operatorSessions]).to.deep.equal([[sha256(token), expected]]);
    expect((await begin()).token).not.to.equal(token);
  });

  it('do not begin with a key that is malformed, unknown, revoked or expired', async () => {
    const refused = { code: 'invalid_operator_key', details: {} };
    for (const wrong of ['', keyOf.slice(0, -1), `svc_op_live_${'0'.repeat(38)}`]) {
      expect(await refusalOf(begin(noon, wrong))).to.deep.equal(refused);
    }
    await administration().rotateOperatorKey({ id, newId: null, overlap: hour, expiresAt: null }, aCall());
    await begin(later(hour - 1));
    expect(await refusalOf(begin(later(hour)))).to.deep.equal(refused);
    await administration().revokeOperatorKey(id, aCall());
    expect(await refusalOf(begin())).to.deep.equal(refused);
    expect(data.operatorSessions.size).to.equal(1);
  });

  it('are found by their token alone, with the key as it is now', async () => {
    const { token, session, operatorKey } = await begin();
    expect(await find(token)).to.deep.equal({ session, operatorKey });
    const changed = { ...operatorKey, scopes: ['admin:catalog'], lastUsedAt: noon } as const;
    data.operatorKeys.put(changed);
    expect(await find(token)).to.deep.equal({ session, operatorKey: changed });
    expect([await find(''), await find(session.digest), await find(`${token} `)]).to.deep.equal([null, null, null]);
  });

  it('end after the idle time, counted from the last use', async () => {
    const { token } = await begin();
    expect(await find(token, later(idle))).to.equal(null);
    expect(await find(token, later(idle - 1))).not.to.equal(null);
    expect(await find(token, later(2 * idle - 2))).not.to.equal(null);
    expect(await find(token, later(3 * idle - 2))).to.equal(null);
  });

  it('end twelve hours after they began, however much they are used', async () => {
    const { token } = await begin();
    for (const at of range(23)) expect(await find(token, later((at + 1) * 30 * minute))).not.to.equal(null);
    expect(await find(token, later(maxSessionAge - 1))).not.to.equal(null);
    expect([maxSessionAge, await find(token, later(maxSessionAge))]).to.deep.equal([12 * hour, null]);
  });

  it('end when their key is revoked', async () => {
    const { token } = await begin();
    await administration().revokeOperatorKey(id, aCall());
    expect(await find(token)).to.equal(null);
  });

  it('end when the overlap of a rotation is over', async () => {
    const { token } = await begin();
    await administration().rotateOperatorKey({ id, newId: null, overlap: minute, expiresAt: null }, aCall());
    expect(await find(token, later(minute - 1))).not.to.equal(null);
    expect(await find(token, later(minute))).to.equal(null);
  });

  it('end with a key that is no longer stored', async () => {
    const { token } = await begin();
    data.operatorKeys.byDigest.clear();
    expect(await find(token)).to.equal(null);
  });

  it('write a use once a sixtieth of the idle time has passed since the stored one', async () => {
    const { token } = await begin();
    for (const [at, stored] of [
      [1, 0],
      [minute - 1, 0],
      [minute, minute],
      [2 * minute - 1, minute],
      [2 * minute + 5, 2 * minute + 5],
    ] as const) {
      await find(token, later(at));
      expect(data.operatorSessions.get(sha256(token))?.lastUsedAt).to.deep.equal(later(stored));
    }
  });

  it('do not write the use of one that has ended', async () => {
    const { token, session } = await begin();
    await administration().revokeOperatorKey(id, aCall());
    await find(token, later(2 * minute));
    await find(token, later(idle));
    expect(data.operatorSessions.get(sha256(token))).to.deep.equal(session);
  });

  it('are found although the use cannot be written, with half of the time left', async () => {
    const { token, session, operatorKey } = await begin();
    const now = later(2 * minute);
    for (const when of moments) {
      const sessions = failing(port(), { method: 'recordUse', nth: 1, when });
      expect(await find(token, now, sessions)).to.deep.equal({ session, operatorKey });
      data.operatorSessions.set(session.digest, session);
    }
    let clock = 0;
    const deadline = deadlineIn(5000, () => clock);
    clock = 1000;
    const left: number[] = [];
    const watched: OperatorSessions = {
      ...port(),
      find: async () => session,
      recordUse: async (_digest, _at, call) => {
        left.push(call.deadline.remaining());
        clock = 3000;
        left.push(call.deadline.remaining(), deadline.remaining());
      },
    };
    await findOperatorSession(watched, allOperatorKeys(), sha256, idle)(token, aCall({ now, deadline }));
    expect(left).to.deep.equal([2000, 0, 2000]);
  });

  it('are not found if the store fails', async () => {
    const { token } = await begin();
    const sessions = failing(port(), { method: 'find', nth: 1, when: 'before' });
    expect(await thrownBy(find(token, noon, sessions))).to.be.instanceOf(InjectedFault);
  });

  it('end when the operator signs out, each alone', async () => {
    const [first, second] = [await begin(), await begin()];
    await signOut(port(), sha256)(first.token, aCall());
    expect([await find(first.token), (await find(second.token))?.session]).to.deep.equal([null, second.session]);
    await signOut(port(), sha256)(first.token, aCall());
    expect(data.operatorSessions.size).to.equal(1);
  });

  it('are removed once they have ended, part by part, and no others', async () => {
    const tooOld = { createdAt: later(-maxSessionAge), lastUsedAt: noon };
    const unused = { createdAt: later(-idle), lastUsedAt: later(-idle) };
    for (const number of range(400)) await add(`old-${number}`, tooOld);
    for (const number of range(401)) await add(`unused-${number}`, unused);
    await add('young', { createdAt: later(-maxSessionAge + 1), lastUsedAt: noon });
    await add('used', { createdAt: later(-idle + 1), lastUsedAt: later(-idle + 1) });
    let calls = 0;
    const newCall = () => {
      calls += 1;
      return aCall();
    };
    expect(await pruneOperatorSessions(port())(idle, newCall)).to.equal(801);
    expect([calls, [...data.operatorSessions.keys()]]).to.deep.equal([3, ['young', 'used']]);
  });

  const port = (): OperatorSessions => openMemoryStore(retentionFor(defaultTtl), data).ports.operatorSessions;
  const allOperatorKeys = () => openMemoryStore(retentionFor(defaultTtl), data).ports.allOperatorKeys;
  const administration = () => administrationOf(openMemoryStore(retentionFor(defaultTtl), data).ports, nodePlatform);

  function begin(now = noon, key = keyOf) {
    const { operatorKeys } = openMemoryStore(retentionFor(defaultTtl), data).ports;
    const authenticate = authenticateKey(operatorKeyKind, operatorKeys, sha256, crc32);
    return signIn(port(), authenticate, nodePlatform.newSessionToken, sha256)(key, aCall({ now }));
  }

  function find(token: string, now = noon, sessions = port()) {
    return findOperatorSession(sessions, allOperatorKeys(), sha256, idle)(token, aCall({ now }));
  }

  function add(digest: string, times: { readonly createdAt: Date; readonly lastUsedAt: Date }): Promise<void> {
    return port().add({ digest, operatorKeyId: id, ...times }, aCall());
  }
});
