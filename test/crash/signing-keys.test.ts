import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../adapters/crypto/signing.ts';
import { createContainer } from '../../app/service/container.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { tokens } from '../../app/service/tokens.ts';
import { verifyReceipt } from '../../client/receipt.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import { checkStore } from '../../core/check/check-store.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import type { KeyRing } from '../../core/receipt/key-ring.ts';
import type { PublishedKeys } from '../../core/receipt/signing-key.ts';
import { aCall, aLicense, aOneTimePurchase, granted } from '../support/builders.ts';
import { startNode } from '../support/processes/node-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';

const rotation = fileURLToPath(new URL('../support/receipts/rotate-signing-keys.ts', import.meta.url));

const licenseKey = 'x'.repeat(30);

/** More writes than a rotation has, with those of the driver. */
const maxWrites = 40;

for (const { name, address } of durableStores) {
  describe(`the signing keys in a ${name} store that processes share`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    let administration: Administration;

    beforeEach(async () => {
      at = await address();
      store = await openAt(at.url);
      administration = administrationOf(store, nodePlatform);
    });

    afterEach(async () => {
      await store.close();
      await at.remove();
    });

    it('are the old ones or the new ones, and whole, after a rotation is killed at each of its writes', async () => {
      await administration.makeSigningKeys(aCall());
      const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
      await store.allEntitlements.add(granted([aOneTimePurchase({ license })]), aCall());
      const seen = { old: 0, new: 0 };
      let isDone = false;
      for (let writes = 0; !isDone; writes += 1) {
        expect(writes).to.be.below(maxWrites);
        const before = await ring();
        const compiled = await administration.exportSigningKeys(aCall({ now: new Date() }));
        isDone = (await rotateInProcess(before.active.kid, writes)) !== null;
        seen[(await expectStep(before)) ? 'new' : 'old'] += 1;
        expect(await faults()).to.deep.equal([]);
        expect(await verdictBy(compiled)).to.equal('valid');
        // The command is repeated, as somebody would who does not know whether it was carried out.
        await administration.rotateSigningKeys(before.active.kid, aCall({ now: new Date() }));
        expect(await expectStep(before)).to.equal(true);
        expect(await verdictBy(compiled)).to.equal('valid');
      }
      expect(seen.old).to.be.at.least(2);
      expect(seen.new).to.be.at.least(2);
    });

    it('are rotated once by two processes that rotate from one key at once', async () => {
      await administration.makeSigningKeys(aCall());
      for (const _ of range(rounds(1, 10))) {
        const before = await ring();
        const outcomes = await Promise.all(range(2).map(() => rotateInProcess(before.active.kid, -1)));
        expect(outcomes).to.have.members([false, true]);
        expect(await expectStep(before)).to.equal(true);
      }
    });

    /** Verifies a receipt that is signed now as an app does that was built with these keys. */
    async function verdictBy({ keys }: PublishedKeys): Promise<string> {
      const issueReceipt = createContainer(store).get(tokens.issueReceipt);
      const request = { licenseKey, productId: null, issuer: 'https://licenses.example' };
      const { receipt } = await issueReceipt(request, aCall({ now: new Date() }));
      return (await verifyReceipt(receipt, { keys: keys.map((key) => ({ ...key })), productId: 'prod_1', licenseKey }))
        .verdict;
    }

    async function ring(): Promise<KeyRing> {
      const stored = await store.signingKeys.read(aCall());
      if (stored === null) throw new Error('the store has no signing keys');
      return stored;
    }

    /** Returns whether the keys were rotated once since then. They must be as they were otherwise. */
    async function expectStep(before: KeyRing): Promise<boolean> {
      const after = await ring();
      if (after.revision === before.revision) {
        expect(after).to.deep.equal(before);
        return false;
      }
      const { d: _, ...old } = before.active;
      const [newest, ...past] = after.past;
      expect(newest).to.deep.equal({ ...old, state: 'retired', retiredAt: after.active.activeAt });
      expect(past).to.deep.equal(before.past);
      expect(after.active).to.deep.include({ kid: before.next.kid, d: before.next.d });
      expect(after.revision).to.equal(before.revision + 1);
      return true;
    }

    async function faults(): Promise<readonly string[]> {
      const findings = await checkStore(store, digest, publicPartOf)(() => aCall());
      return findings.filter(({ ok }) => !ok).map(({ message }) => message);
    }

    /** Returns whether the rotation has changed the keys, or null if it was killed. */
    async function rotateInProcess(from: string, writes: number): Promise<boolean | null> {
      const child = startNode([rotation, at.url, from, String(writes)]);
      const output = [text(child.stdout), text(child.stderr)] as const;
      const [[code, signal], stdout, stderr] = await Promise.all([once(child, 'close'), ...output]);
      if (signal === 'SIGKILL') return null;
      if (code !== 0) throw new Error(stderr);
      return (JSON.parse(stdout) as { readonly changed: boolean }).changed;
    }
  });
}
