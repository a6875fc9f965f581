import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { startBackground } from '../../../app/server/background.ts';
import { startServer } from '../../../app/server/server.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { aCall, aLicense, aOneTimePurchase, day, granted } from '../../support/builders.ts';
import { MovedClocks } from '../../support/clock/moved-clocks.ts';
import { eventually } from '../../support/eventually.ts';
import { failing } from '../../support/failing.ts';
import { outputs } from '../../support/run/output-search.ts';
import { refusalOf } from '../../support/thrown.ts';

const licenseKey = 'x'.repeat(30);
const request = { licenseKey, productId: null, issuer: 'https://licenses.example' };
const minute = 60_000;

describe('the receipts of a server', () => {
  let store: Store;
  let container: ReturnType<typeof createContainer>;
  let clocks: MovedClocks;
  let logged: readonly string[];
  /** Begins what the server does beside its requests. */
  let work: (settings?: Partial<Settings>) => void;
  const ends: (() => Promise<void>)[] = [];
  const call = (): ReturnType<typeof aCall> => aCall({ now: clocks.now() });

  beforeEach(async () => {
    clocks = new MovedClocks();
    store = await openStore('memory:', { create: true }, retentionFor(defaultTtl), aCall());
    container = createContainer(store.ports);
    const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
    await store.ports.allEntitlements.add(granted([aOneTimePurchase({ license })]), call());
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await store.close();
  });

  it('are signed as soon as it listens, with the keys that it has made', async () => {
    await serve();
    const { expiresAt } = await issue();
    expect(expiresAt.getTime()).to.equal(Math.floor((clocks.now().getTime() + 14 * day) / 1000) * 1000);
    const { keys } = await container.get(tokens.readPublishedKeys)(call());
    expect(keys).to.have.length(2);
    expect(logged).to.deep.equal([]);
  });

  it('hold for as long as the setting says', async () => {
    container = createContainer(store.ports, { receiptTtl: day, endingSoon: 0 });
    await serve();
    const { issuedAt, expiresAt } = await issue();
    expect(expiresAt.getTime() - issuedAt.getTime()).to.equal(day);
  });

  it('need keys that no start makes while they are off', async () => {
    await serve({ receipts: 'off' });
    work({ receipts: 'off' });
    await eventually(
      async () => (await store.ports.clockMarks.read(call())).mark,
      (mark) => mark !== null,
    );
    expect(await store.ports.signingKeys.read(call())).to.equal(null);
  });

  for (const method of ['read', 'replace'] as const) {
    it(`are refused, and licenses verified, where the keys could not be made (${method}), until they can`, async () => {
      const faulty = failing(store.ports.signingKeys, { method, nth: 1, when: 'before' });
      container.rebind(tokens.signingKeys).toConstantValue(faulty);
      await serve();
      expect(logged).to.deep.equal(['the signing keys could not be read or made: receipts are refused until they are']);
      expect((await refusalOf(issue())).code).to.equal('store_unavailable');
      expect((await refusalOf(container.get(tokens.readPublishedKeys)(call()))).code).to.equal('store_unavailable');
      expect(await verify()).to.equal(true);
      work();
      await eventually(
        () => issue().catch(() => null),
        (issued) => issued !== null,
      );
      await issue();
    });
  }

  it('are refused while its clock is in doubt, those for offline machines too, and licenses are verified', async () => {
    await store.ports.clockMarks.raise(clocks.now(), call());
    clocks.pass(day);
    await serve();
    work();
    await eventually(
      async () => logged,
      (lines) => lines.some((line) => line.startsWith('the clock is far ahead')),
    );
    const { trusts } = container.get(tokens.clockTrust);
    const { issueOfflineReceipt } = administrationOf(store.ports, nodePlatform, { trustsClock: trusts });
    const offline = { entitlementId: 'ent_once', expires: day, issuer: request.issuer };
    expect((await refusalOf(issue())).code).to.equal('clock_not_trusted');
    expect((await refusalOf(issueOfflineReceipt(offline, call()))).code).to.equal('clock_not_trusted');
    expect(await verify()).to.equal(true);
    clocks.pass(15 * minute);
    // The server parks what waits for Stripe before it trusts its clock again.
    await eventually(
      () =>
        issue().then(
          () => true,
          () => false,
        ),
      (issued) => issued,
    );
    await issueOfflineReceipt(offline, call());
  });

  it('are refused at once when its clock has jumped', async () => {
    await serve();
    work();
    await eventually(
      () => issue().catch(() => null),
      (issued) => issued !== null,
    );
    clocks.set(day);
    expect((await refusalOf(issue())).code).to.equal('clock_not_trusted');
    clocks.set(-day);
  });

  async function serve(settings: Partial<Settings> = {}): Promise<void> {
    const lines: string[] = [];
    logged = lines;
    const write = (line: string): void => {
      outputs.log('the log of a server with receipts', line);
      lines.push((JSON.parse(line) as { readonly message: string }).message);
    };
    const parts = { container, metrics: null, store, clock: clocks.now, log: loggerTo({ write }) };
    const server = await startServer(parts, { ...defaultSettings, port: 0, ...settings });
    ends.push(() => server.stop(0));
    work = (own = {}) => {
      ends.push(
        startBackground({ ...parts, baseUrl: () => server.url }, { ...defaultSettings, ...own }, clocks.monotonic),
      );
    };
  }

  function issue() {
    return container.get(tokens.issueReceipt)(request, call());
  }

  async function verify(): Promise<boolean> {
    return (await container.get(tokens.verifyLicense)(licenseKey, null, call())).valid;
  }
});
