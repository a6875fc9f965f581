import { expect } from 'chai';
import type { FakeStripe } from '../../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../../testing/stripe/start-fake-stripe.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { TestService, type ServiceOptions } from '../../../support/http/test-service.ts';
import { MailReceiver, type ReceiverOptions } from '../../../support/mail/mail-receiver.ts';
import { mailSettings } from '../../../support/mail/mailed-shop.ts';
import { secretsIn } from '../../../support/run/output-search.ts';
import { memory } from '../../../support/stores/stores.ts';
import { openShop, sellAtStripe, sellingAt } from '../../../support/stripe/stripe-sales.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { ConsoleClient } from '../../../support/web/console-client.ts';

const elsewhere = 'desk@example.net';

function pathOf(id: string, action = ''): string {
  return `/console/entitlements/${id}${action}`;
}

describe('writing to the buyer on the page of a sale', () => {
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;
  let client: ConsoleClient;

  beforeEach(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
    await shop.stop();
    expect(service.logged.filter((line) => secretsIn(JSON.stringify(line)).length > 0)).to.deep.equal([]);
    expect(JSON.stringify(service.logged)).to.not.include(elsewhere).and.not.include('@example.com');
  });

  /** A sale at Stripe on a server that mails to the receiver, unless `options` says otherwise. */
  async function sold(options: ServiceOptions = {}, answers: ReceiverOptions = {}): Promise<string> {
    receiver.options = answers;
    service = await TestService.at(
      await memory.address(),
      {
        adminPort: 0,
        ...sellingAt(shop),
        ...mailSettings(receiver),
        ...options,
      },
      sellAtStripe,
    );
    await service.addOperatorKey(operatorKeys.full);
    client = new ConsoleClient(service);
    await client.signIn();
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    return (await shop.subscribe({ price: 'price_pro', email: 'buyer@example.com' })).subscription;
  }

  const panelOf = async (id: string): Promise<string> => {
    const { text } = await client.get(pathOf(id));
    const panel = /<section class="panel" aria-labelledby="write">.*?<\/section>/s.exec(text)?.[0] ?? '';
    return panel.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  };
  const lastTo = (): readonly string[] => receiver.mails.at(-1)?.to ?? [];

  it('mails the key to the address that Stripe has, after a question', async () => {
    const id = await sold();
    expect(await panelOf(id))
      .to.include('Mail the key again')
      .and.include('Mail a link')
      .and.include('Works 24 hours: cancel, new key, devices')
      .and.include('Copy a link')
      .and.include('To paste into your answer');
    const asked = await client.get(pathOf(id, '/mail-key'));
    expect(textIn(asked.text)).to.include('Mail the key?').and.include('Another address');
    expect(receiver.mails).to.have.length(0);
    const sent = await client.submit(pathOf(id, '/mail-key'), { version: '1' });
    expect([sent.status, sent.headers['location']]).to.deep.equal([303, `${pathOf(id)}?done=mail-key`]);
    expect(textIn((await client.get(`${pathOf(id)}?done=mail-key`)).text)).to.include(
      'The mail server has taken the mail.',
    );
    expect([lastTo(), receiver.mails[0]?.parsed.subject]).to.deep.equal([
      ['buyer@example.com'],
      'Your Sketchpad license key',
    ]);
  });

  it('mails a link, and to another address', async () => {
    const id = await sold();
    const sent = await client.submit(pathOf(id, '/mail-link'), { version: '1', to: elsewhere });
    expect([sent.status, sent.headers['location']]).to.deep.equal([303, `${pathOf(id)}?done=mail-link`]);
    expect(lastTo()).to.deep.equal([elsewhere]);
    expect(receiver.mails[0]?.parsed.text).to.match(/\/license\/links\/[\w-]{43}/);
  });

  it('refuses what is no address, and sends nothing', async () => {
    const id = await sold();
    const wrong = await client.submit(pathOf(id, '/mail-link'), { version: '1', to: 'nobody' });
    expect([wrong.status, receiver.mails.length]).to.deep.equal([400, 0]);
    expect(textIn(wrong.text)).to.include('Another address must have an @');
    const stale = await client.submit(pathOf(id, '/mail-key'), { version: '9' });
    expect([stale.status, receiver.mails.length]).to.deep.equal([409, 0]);
  });

  it('shows the form with what the mail server has said', async () => {
    const id = await sold({}, { onRecipient: [550, '5.1.1 no such user'] });
    const refused = await client.submit(pathOf(id, '/mail-key'), { version: '1', to: elsewhere });
    expect([refused.status, refused.headers['error-code']]).to.deep.equal([500, 'mail_unavailable']);
    expect(textIn(refused.text)).to.include('The mail was not sent: refused (550').and.include('Mail the key?');
  });

  it('mails no key that was replaced or revoked, and says why', async () => {
    const id = await sold();
    await client.submit(pathOf(id, '/rotate-license'), { version: '1' });
    expect(await panelOf(id))
      .to.include('The key was replaced, and is not known here: mail a link.')
      .and.not.include('Mail the key again');
    expect((await client.get(pathOf(id, '/mail-key'))).status).to.equal(409);
    await client.submit(pathOf(id, '/revoke-license'), { version: '2' });
    expect(await panelOf(id)).to.include('The license was revoked.');
    expect((await client.submit(pathOf(id, '/mail-link'), { version: '3' })).status).to.equal(303);
  });

  it('says what a server without mail, and one without pages for buyers, cannot send', async () => {
    const id = await sold({ smtpUrl: null });
    expect(await panelOf(id))
      .to.include('This server sends no mail.')
      .and.include('Copy a link');
    for (const action of ['/mail-key', '/mail-link']) {
      expect((await client.get(pathOf(id, action))).status, action).to.equal(404);
    }
  });

  it('asks for the address of a buyer to whom Stripe has not sold it', async () => {
    await sold();
    const grant = { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
    const form = await client.get('/console/entitlements/grant');
    const id = /name="id" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
    await client.submit('/console/entitlements/grant', { id, ...grant });
    expect(await panelOf(id)).to.include('The key is not known here: mail a link.');
    const asked = await client.get(pathOf(id, '/mail-link'));
    expect(textIn(asked.text)).to.include('E-mail address').and.not.include('Another address');
    expect((await client.submit(pathOf(id, '/mail-link'), { version: '1' })).status).to.equal(400);
    expect((await client.submit(pathOf(id, '/mail-link'), { version: '1', to: elsewhere })).status).to.equal(303);
    expect(lastTo()).to.deep.equal([elsewhere]);
  });
});
