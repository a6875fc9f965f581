import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { KeptSigningKeys } from '../../../core/receipt/kept-signing-keys.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription } from '../../support/builders.ts';
import { runCommand } from '../../support/cli/run-command.ts';
import { AdminClient, dataOf, outcomeOf } from '../../support/http/admin-client.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { TestService } from '../../support/http/test-service.ts';
import { claimsOf, isSignedByOneOf, kidOf } from '../../support/receipts/read-receipt.ts';
import { temporaryFile } from '../../support/stores/sqlite-file.ts';
import { durableStores, sqlite, type StoreAddress } from '../../support/stores/stores.ts';

const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });

type Keys = Parameters<typeof isSignedByOneOf>[1];

/** A service whose keys grow old by a clock of its own. */
interface Served {
  readonly service: TestService;
  readonly pass: (milliseconds: number) => void;
}

async function serve(address: StoreAddress): Promise<Served> {
  let now = 0;
  const service = await TestService.at(
    { ...address, remove: async () => {} },
    {
      adminPort: 0,
      rebind: (container) => {
        const kept = new KeptSigningKeys(container.get(tokens.signingKeys), () => now);
        container.rebind(tokens.keptSigningKeys).toConstantValue(kept);
      },
    },
  );
  return { service, pass: (milliseconds) => void (now += milliseconds) };
}

async function receiptOf({ service }: Served): Promise<string> {
  const reply = await service.receipt({ licenseKey });
  expect(reply.status).to.equal(200);
  return (dataOf(reply) as { readonly receipt: string }).receipt;
}

async function publishedBy({ service }: Served): Promise<Keys> {
  return (await service.send('/.well-known/jwks.json')).body as Keys;
}

for (const under of durableStores) {
  describe(`two services on one store in ${under.name}, and its signing keys`, () => {
    let address: StoreAddress;
    let services: readonly [Served, Served];

    beforeEach(async () => {
      address = await under.emptyAddress();
      services = [await serve(address), await serve(address)];
      await services[0].service.grant(aSubscription({ license }));
      await services[0].service.addOperatorKey(operatorKeys.full);
    });
    afterEach(async () => {
      for (const { service } of services) await service.stop();
      await address.remove();
    });

    const admin = (): AdminClient => new AdminClient(services[0].service);

    it('both sign with the new key ten seconds after a rotation, and with a published one until then', async () => {
      const [own, other] = services;
      const before = kidOf(await receiptOf(other));
      const [{ kid }] = dataOf(await admin().post('/admin/signing-keys/rotate', { from: before })) as [{ kid: string }];
      expect(kidOf(await receiptOf(own))).to.equal(kid);
      const late = await receiptOf(other);
      expect(kidOf(late)).to.equal(before);
      for (const each of services) expect(isSignedByOneOf(late, await publishedBy(each))).to.equal(true);
      other.pass(10_000);
      const next = await receiptOf(other);
      expect(kidOf(next)).to.equal(kid);
      for (const each of services) expect(isSignedByOneOf(next, await publishedBy(each))).to.equal(true);
    });

    it('both sign with another key ten seconds after the active one was revoked, and publish it no more', async () => {
      const [own, other] = services;
      const before = kidOf(await receiptOf(other));
      const reply = await admin().post(`/admin/signing-keys/${before}/revoke`);
      expect([reply.status, (dataOf(reply) as { readonly state: string }).state]).to.deep.equal([200, 'revoked']);
      other.pass(10_000);
      for (const each of [own, other]) {
        expect(kidOf(await receiptOf(each))).not.to.equal(before);
        expect((await publishedBy(each)).keys.map((key) => (key as { readonly kid: string }).kid)).not.to.include(
          before,
        );
      }
    });

    it('have an offline receipt noted with the key before it is handed out', async () => {
      const path = '/admin/entitlements/ent_1/receipts';
      const [first] = dataOf(await admin().get('/admin/signing-keys')) as readonly { readonly kid: string }[];
      const { receipt } = dataOf(await admin().post(path, { expires: '14d' })) as { readonly receipt: string };
      expect(kidOf(receipt)).to.equal(first?.kid);
      expect(claimsOf(receipt)).to.include({ mode: 'offline', iss: services[0].service.url });
      const ring = await services[1].service.container.get(tokens.signingKeys).read(aCall());
      expect(ring?.active.offlineUntil?.getTime()).to.equal(Number(claimsOf(receipt)['exp']) * 1000);
      const tooLong = await admin().post(path, { expires: '401d' });
      const message = 'expires must not be longer than the setting RECEIPT_MAX_AGE.';
      expect(outcomeOf(tooLong)).to.deep.equal([400, 'invalid_body', message]);
    });
  });
}

describe('latchkey license receipt --out', () => {
  const path = temporaryFile();

  it('writes a file that only its user may read, and no other over one that exists', async () => {
    const address = await sqlite.address();
    const service = await TestService.at({ ...address, remove: async () => {} });
    await service.grant(aOneTimePurchase({ license }));
    await service.stop();
    const file = path('receipt.jwt');
    const { exitCode, stdout } = await runCommand(`license receipt ent_once --out ${file}`, address.url);
    expect([exitCode, (await stat(file)).mode & 0o777]).to.deep.equal([0, 0o600]);
    expect(stdout).to.match(/^The receipt is written\. It holds until [\d-]+T/);
    const again = await runCommand(`license receipt ent_once --out ${file}`, address.url);
    expect([again.exitCode, again.stderr]).to.deep.equal([2, 'The file exists already: name a new one.\n']);
    const nowhere = `license receipt ent_once --out ${join(path('none'), 'receipt.jwt')}`;
    const missing = await runCommand(nowhere, address.url);
    const message = 'The file cannot be created: its folder must exist, be writable and have room.\n';
    expect([missing.exitCode, missing.stderr]).to.deep.equal([2, message]);
    await address.remove();
  });
});
