import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest, seededBytes } from '../../../adapters/crypto/node-secrets.ts';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { nodePlatform, platformWith } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { rotated } from '../../../core/receipt/key-ring.ts';
import { readPublishedKeys } from '../../../core/receipt/list-signing-keys.ts';
import { isPublished, newSigningKey } from '../../../core/receipt/signing-key.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, aLicense, aOneTimePurchase, day, granted, later, noon } from '../../support/builders.ts';
import { aFreshRing, aKeyRing, signingKeysOf } from '../../support/receipts/key-rings.ts';
import { refusalOf } from '../../support/thrown.ts';

/** A key as the model of its life has it. Instants are milliseconds after noon. */
interface ModelKey {
  readonly kid: string;
  state: 'next' | 'active' | 'retired' | 'revoked';
  readonly createdAt: number;
  activeAt: number | null;
  retiredAt: number | null;
  revokedAt: number | null;
  /** The ends of its offline receipts. */
  readonly offline: number[];
}

/** The expected keys, in the order in which they were made. */
class Model {
  now = 0;
  readonly keys: ModelKey[] = [];

  in(state: ModelKey['state']): ModelKey | undefined {
    return this.keys.find((key) => key.state === state);
  }

  validUntil({ retiredAt, offline }: ModelKey): number | null {
    return retiredAt === null ? null : Math.max(retiredAt + 90 * day, ...offline);
  }
}

/** The administration of the keys of a store. */
class Real {
  readonly data = new MemoryStore();
  readonly administration: Administration;

  constructor() {
    const { ports } = openMemoryStore(retentionFor(defaultTtl), this.data);
    this.administration = administrationOf(ports, platformWith(seededBytes('keys of a model')));
    const purchase = aOneTimePurchase({ license: aLicense() });
    void ports.allEntitlements.add(granted([purchase]), aCall());
  }
}

type Command = fc.AsyncCommand<Model, Real>;

/** Runs a step, and then compares everything that can be seen with the model. */
function command(text: string, step: (model: Model, real: Real, call: Call) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      model.now += 1000;
      await step(model, real, aCall({ now: later(model.now) }));
      await compare(model, real);
    },
    toString: () => text,
  };
}

async function compare(model: Model, { administration, data }: Real): Promise<void> {
  const call = aCall({ now: later(model.now) });
  const listed = await administration.listSigningKeys(call);
  const expected = model.keys.map((key) => ({
    kid: key.kid,
    state: key.state,
    alg: 'ES256',
    createdAt: later(key.createdAt),
    activeAt: dateOf(key.activeAt),
    retiredAt: dateOf(key.retiredAt),
    revokedAt: dateOf(key.revokedAt),
    validUntil: dateOf(model.validUntil(key)),
  }));
  expect(listed.toSorted(byKid)).to.deep.equal(expected.toSorted(byKid));
  expect(listed.slice(0, 2).map(({ state }) => state)).to.deep.equal(listed.length === 0 ? [] : ['active', 'next']);
  expect(listed.filter(({ kid }) => kid.startsWith('-'))).to.deep.equal([]);
  const { keyRing } = data;
  if (keyRing === null) return;
  expect(JSON.stringify(keyRing.past)).to.not.contain('"d"');
  const published = await administration.exportSigningKeys(call);
  const trusted = model.keys.filter(
    (key) => key.state !== 'revoked' && (model.validUntil(key) ?? Infinity) > model.now,
  );
  expect(published.keys.map(({ kid }) => kid).toSorted()).to.deep.equal(trusted.map(({ kid }) => kid).toSorted());
  for (const { x, y, kid, ...rest } of published.keys) {
    expect(kid).to.equal(digest(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`));
    expect(rest).to.deep.equal({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  }
}

const byKid = (a: { readonly kid: string }, b: { readonly kid: string }): number => (a.kid < b.kid ? -1 : 1);

function dateOf(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : later(milliseconds);
}

function addKey(model: Model, kid: string | undefined): void {
  if (kid === undefined) throw new Error('there is a further key');
  const facts = { createdAt: model.now, activeAt: null, retiredAt: null, revokedAt: null, offline: [] };
  model.keys.push({ kid, state: 'next', ...facts });
}

/** Lets the next key of the model sign. The name of another one is taken from the store. */
function rotate(model: Model, { data }: Real): void {
  const [active, next] = [model.in('active'), model.in('next')];
  if (active !== undefined) Object.assign(active, { state: 'retired', retiredAt: model.now });
  if (next !== undefined) Object.assign(next, { state: 'active', activeAt: model.now });
  addKey(model, data.keyRing?.next.kid);
}

/** Makes the first keys of the model, as they were made in the store. Returns whether there were none. */
function makeFirst(model: Model, { data }: Real): boolean {
  if (model.keys.length > 0) return false;
  addKey(model, data.keyRing?.active.kid);
  Object.assign(model.keys[0] ?? {}, { state: 'active', activeAt: model.now });
  addKey(model, data.keyRing?.next.kid);
  return true;
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const pick = (model: Model, index: number): ModelKey | undefined => model.keys[index % (model.keys.length + 1)];

const commands: readonly fc.Arbitrary<Command>[] = [
  fc.constant(
    command('make', async (model, real, call) => {
      await real.administration.makeSigningKeys(call);
      makeFirst(model, real);
    }),
  ),
  fc.constant(
    command('export', async (model, real, call) => {
      await real.administration.exportSigningKeys(call);
      makeFirst(model, real);
    }),
  ),
  fc.constant(
    command('rotate', async (model, real, call) => {
      expect(await real.administration.rotateSigningKeys(null, call)).to.have.property('changed', true);
      if (!makeFirst(model, real)) rotate(model, real);
    }),
  ),
  fc.nat(20).map((index) =>
    command(`rotate --from ${index}`, async (model, real, call) => {
      const key = pick(model, index);
      const rotation = real.administration.rotateSigningKeys(key?.kid ?? 'unknown', call);
      if (key === undefined || key.activeAt === null) {
        expect(await codeOf(rotation)).to.equal('signing_key_not_found');
        return;
      }
      const isActive = key.state === 'active';
      expect(await rotation).to.have.property('changed', isActive);
      if (isActive) rotate(model, real);
    }),
  ),
  fc.nat(20).map((index) =>
    command(`revoke ${index}`, async (model, real, call) => {
      const key = pick(model, index);
      const revocation = real.administration.revokeSigningKey(key?.kid ?? 'unknown', call);
      if (key === undefined) {
        expect(await codeOf(revocation)).to.equal('signing_key_not_found');
        return;
      }
      const { state } = key;
      const { key: shown, changed } = await revocation;
      expect([shown.kid, shown.state, changed]).to.deep.equal([key.kid, 'revoked', state !== 'revoked']);
      if (state === 'revoked') return;
      if (state === 'active') rotate(model, real);
      if (state === 'next') addKey(model, real.data.keyRing?.next.kid);
      Object.assign(key, { state: 'revoked', revokedAt: model.now });
    }),
  ),
  fc.integer({ min: 1, max: 800 }).map((days) =>
    command(`receipt --expires ${days}d`, async (model, { administration, data }, call) => {
      const request = { entitlementId: 'ent_once', expires: days * day, issuer: 'https://licenses.example' };
      const { expiresAt } = await administration.issueOfflineReceipt(request, call);
      makeFirst(model, { administration, data });
      model.in('active')?.offline.push(expiresAt.getTime() - later(0).getTime());
    }),
  ),
  fc.integer({ min: 1, max: 200 }).map((days) =>
    command(`wait ${days}d`, async (model) => {
      model.now += days * day;
    }),
  ),
];

describe('a signing key', () => {
  it('is published until the instant at which its last receipt is over', () => {
    const [key] = rotated(aFreshRing(), signingKeysOf('next'), noon).past;
    if (key === undefined) throw new Error('a key was retired');
    expect(isPublished(key, later(90 * day - 1))).to.equal(true);
    expect(isPublished(key, later(90 * day))).to.equal(false);
  });

  it('is discarded if its id begins with a hyphen', () => {
    const ids = ['-begins', '-', 'ends-'];
    const pair = { x: 'x', y: 'y', d: 'd' };
    const newKey = newSigningKey(
      () => pair,
      () => ids.shift() ?? expect.fail('one of three is good'),
    );
    expect(newKey(noon)).to.deep.equal({ state: 'next', kid: 'ends-', ...pair, createdAt: noon });
  });
});

describe('a rotation', () => {
  it('changes nothing where another process has made the first keys meanwhile', async () => {
    const { data, administration } = new Real();
    const { ports } = openMemoryStore(retentionFor(defaultTtl), data);
    const signingKeys: StorePorts['signingKeys'] = {
      read: (call) => ports.signingKeys.read(call),
      replace: async (next, call) => {
        await administration.makeSigningKeys(call);
        return ports.signingKeys.replace(next, call);
      },
    };
    const late = administrationOf({ ...ports, signingKeys }, nodePlatform);
    const { keys, changed } = await late.rotateSigningKeys(null, aCall());
    expect([keys.length, changed, data.keyRing?.revision]).to.deep.equal([2, false, 1]);
    expect(keys).to.deep.equal(await administration.listSigningKeys(aCall()));
  });
});

describe('the published keys of a process', () => {
  it('are those that it knows, and none that are revoked or over', async () => {
    const ring = aKeyRing();
    const read = readPublishedKeys({ known: async () => ring });
    const kids = async (now: Date): Promise<readonly string[]> =>
      (await read(aCall({ now }))).keys.map(({ kid }) => kid);
    const [last, , , first] = ring.past;
    const always = [ring.active.kid, ring.next.kid];
    expect(ring.past.map(({ state }) => state)).to.deep.equal(['revoked', 'retired', 'revoked', 'retired']);
    expect(last?.state).to.equal('revoked');
    expect(await kids(later(6 * day))).to.deep.equal([...always, ring.past[1]?.kid, first?.kid]);
    // The first key was retired first, and has signed a receipt that lasts 400 days.
    expect(await kids(later(100 * day))).to.deep.equal([...always, first?.kid]);
    expect(await kids(later(400 * day))).to.deep.equal(always);
  });

  it('are out of reach before they are made', async () => {
    expect((await refusalOf(readPublishedKeys({ known: async () => null })(aCall()))).code).to.equal(
      'store_unavailable',
    );
  });
});

describe('the signing keys', () => {
  it('are what a model says after any sequence of commands', async () => {
    const sequences = fc.commands([...commands], { maxCommands: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sequences, (sequence) =>
        fc.asyncModelRun(() => ({ model: new Model(), real: new Real() }), sequence),
      ),
    );
  });
});
