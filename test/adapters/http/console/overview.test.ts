import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSubscription, hour, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { ConsoleClient, freshConsole } from '../../../support/web/console-client.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';
import { anEndpoint } from '../../../support/webhooks/builders.ts';

describe('the overview of the console', () => {
  const client = freshConsole(memory);
  const text = async (): Promise<string> => (await client().get('/console')).text;
  const pastDue = aSubscription({ currentPeriodEnd: later(-hour), graceUntil: later(3 * hour) });

  it('says that nothing needs a person, and where changes will stand', async () => {
    await client().signIn();
    expect(await text())
      .to.include('Nothing needs you.')
      .and.include('Nothing has happened yet.')
      .and.match(/A license key or its last four, an entitlement, a trial, your own reference/)
      .and.match(/aria-label="Grants a day, from 5 July to today: (?:0, ){13}0"/);
  });

  it('names what needs a person, with the way to it', async () => {
    const gone = anEndpoint({ id: 'whk_gone', url: 'https://hooks.shop.example/x', state: 'disabled', reason: 'gone' });
    await client().service.container.get(tokens.webhookEndpoints).add(gone, aCall());
    await client().service.grant(pastDue);
    await client().signIn();
    expect(await text())
      .to.include('<bdi>hooks.shop.example</bdi> is disabled')
      .and.include('href="/console/webhooks/whk_gone"')
      .and.include('1 entitlement is past due')
      .and.include('The first of them loses access in 3 hours.')
      .and.include('href="/console/entitlements?status=past_due"')
      .and.not.include('Nothing needs you.');
  });

  it('counts endpoints that fail or are disabled beside Webhooks, on every page, until a form changes that', async () => {
    const { container } = client().service;
    const gone = anEndpoint({ id: 'whk_gone', state: 'disabled', reason: 'gone' });
    for (const endpoint of [gone, anEndpoint({ id: 'whk_off', state: 'disabled', reason: 'requested' })]) {
      await container.get(tokens.webhookEndpoints).add(endpoint, aCall());
    }
    await client().signIn();
    const badge = /Webhooks<span class="badge plain warn"\s*>1<span class="hidden"> failing or disabled/;
    for (const path of ['/console', '/console/listings', '/console/no-such-page', '/console/webhooks/whk_gone']) {
      expect((await client().get(path)).text, path).to.match(badge);
    }
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:waitlist'] });
    const other = new ConsoleClient(client().service);
    await other.signIn(operatorKeys.reader);
    expect((await other.get('/console/waitlist')).text).to.not.match(badge);
    const path = '/console/webhooks/whk_gone/enable';
    await client().submit(path, { version: fieldIn((await client().get(path)).text, 'version') });
    expect((await client().get('/console/listings')).text).to.not.match(badge);
  });

  it('names the operators of the latest changes beside their ids', async () => {
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_9', name: 'Ada <b>' });
    const { container, now } = client().service;
    await container.get(tokens.products).add({ id: 'prod_1', name: 'Sketchpad', createdAt: now }, aCall());
    await client().service.grant(aSubscription({ sequence: 1 }));
    await client().signIn(operatorKeys.reader);
    await client().submit('/console/entitlements/ent_1/suspend', { version: '1' });
    const named = /operator\s+<bdi>Ada &lt;b&gt;<\/bdi>\s+<span class="mono">opk_9<\/span>/;
    for (const path of ['/console', '/console/events?product=prod_1', '/console/entitlements/ent_1']) {
      expect((await client().get(path)).text, path).to.match(named);
    }
  });

  it('is counted once a minute', async () => {
    await client().signIn();
    await text();
    await client().service.grant(pastDue);
    client().service.now = later(59_000);
    expect(await text()).to.include('Nothing needs you.');
    client().service.now = later(60_000);
    expect(await text()).to.include('1 entitlement is past due');
  });

  it('has no figure of the waitlist for those who may not see it', async () => {
    await client().signIn();
    expect(await text()).to.include('Waitlist sign-ups');
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    expect(await text())
      .to.include('Grants')
      .and.not.include('Waitlist sign-ups');
  });
});

describe('the overview of a store that cannot be written', () => {
  const client = freshConsole(memory, { ready: async () => false });

  it('says so', async () => {
    await client().signIn();
    const { text } = await client().get('/console');
    expect(text).to.include('The store cannot be written');
  });
});
