import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSubscription, hour, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole } from '../../../support/web/console-client.ts';
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
