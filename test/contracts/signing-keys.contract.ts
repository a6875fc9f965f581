import { expect } from 'chai';
import { rotateSigningKeys } from '../../core/receipt/change-signing-keys.ts';
import { rotated, type KeyRing } from '../../core/receipt/key-ring.ts';
import { makeSigningKeys } from '../../core/receipt/make-signing-keys.ts';
import type { SigningKeys } from '../../core/receipt/signing-keys.port.ts';
import { aCall, day, later } from '../support/builders.ts';
import { failing, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { aFreshRing, aKeyRing, signingKeysOf } from '../support/receipts/key-rings.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

/** The promises of every store about the record of the signing keys. */
export function signingKeysContract(open: OpenStore): void {
  describe('the signing keys', () => {
    const store = freshStore(open);
    const stored = (): Promise<KeyRing | null> => beside(store(), ({ signingKeys }) => signingKeys.read(aCall()));

    it('are none before they are made', async () => {
      expect(await store().signingKeys.read(aCall())).to.equal(null);
    });

    it('are read by every process as they were written', async () => {
      const { signingKeys } = store();
      expect(await signingKeys.replace(aFreshRing(), aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await stored()).to.deep.equal(aFreshRing());
      for (let { revision } = aFreshRing(); revision < aKeyRing().revision; revision += 1) {
        expect(await signingKeys.replace({ ...aKeyRing(), revision: revision + 1 }, aCall())).to.deep.equal({
          kind: 'replaced',
        });
      }
      expect(await stored()).to.deep.equal(aKeyRing());
    });

    it('are made once', async () => {
      const { signingKeys } = store();
      await signingKeys.replace(aFreshRing('first'), aCall());
      expect(await signingKeys.replace(aFreshRing('second'), aCall())).to.deep.equal({ kind: 'stale' });
      expect(await stored()).to.deep.equal(aFreshRing('first'));
    });

    it('are replaced only by the next revision', async () => {
      const { signingKeys } = store();
      const first = aFreshRing();
      expect(await signingKeys.replace({ ...first, revision: 2 }, aCall())).to.deep.equal({ kind: 'stale' });
      expect(await stored()).to.equal(null);
      await signingKeys.replace(first, aCall());
      for (const revision of [3, 4]) {
        expect(await signingKeys.replace({ ...first, revision }, aCall())).to.deep.equal({ kind: 'stale' });
      }
      expect(await signingKeys.replace({ ...first, revision: 2 }, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await signingKeys.replace({ ...first, revision: 2 }, aCall())).to.deep.equal({ kind: 'stale' });
    });

    it('are made by one of twenty that try at once, and all know its keys', async () => {
      const made = await Promise.all(
        range(20).map((number) => makeSigningKeys(store().signingKeys, signingKeysOf(`process ${number}`))(aCall())),
      );
      expect(made.filter(({ kind }) => kind === 'made')).to.have.length(1);
      const ring = await stored();
      for (const one of made) expect(one.ring).to.deep.equal(ring);
    });

    it('are changed by one of twenty that try at once', async () => {
      const first = aFreshRing();
      await store().signingKeys.replace(first, aCall());
      const rings = range(20).map((number) => rotated(first, signingKeysOf(`process ${number}`), later(day)));
      const outcomes = await Promise.all(rings.map((ring) => store().signingKeys.replace(ring, aCall())));
      const winners = rings.filter((_, index) => outcomes[index]?.kind === 'replaced');
      expect(winners).to.have.length(1);
      expect(await stored()).to.deep.equal(winners[0]);
    });

    it('are rotated once by twenty that rotate from one key at once', async () => {
      const first = aFreshRing();
      await store().signingKeys.replace(first, aCall());
      const rotations = await Promise.all(range(20).map(() => rotate(store().signingKeys, first.active.kid)));
      expect(rotations.filter(({ changed }) => changed)).to.have.length(1);
      const ring = await stored();
      expect([ring?.revision, ring?.active.kid]).to.deep.equal([2, first.next.kid]);
    });

    for (const when of moments) {
      it(`are whole after a write that failed ${when} it took effect, and the rotation can be repeated`, async () => {
        const { signingKeys } = store();
        const first = aFreshRing();
        await signingKeys.replace(first, aCall());
        const faulty = failing(signingKeys, { method: 'replace', nth: 1, when });
        await thrownBy(rotate(faulty, first.active.kid));
        expect((await stored())?.revision).to.equal(when === 'before' ? 1 : 2);
        expect(await rotate(signingKeys, first.active.kid)).to.have.property('changed', when === 'before');
        const ring = await stored();
        expect([ring?.active.kid, ring?.past.map(({ kid }) => kid)]).to.deep.equal([
          first.next.kid,
          [first.active.kid],
        ]);
      });
    }
  });
}

const newKey = signingKeysOf('keys of rotations');

function rotate(keys: SigningKeys, from: string | null): ReturnType<ReturnType<typeof rotateSigningKeys>> {
  return rotateSigningKeys(keys, makeSigningKeys(keys, newKey), newKey)(from, aCall({ now: later(day) }));
}
