import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { portsIn } from '../../../../app/service/container.ts';
import { anAffiliate } from '../../../support/affiliates/builders.ts';
import { aPromotable, linkOfAda, servePromoted } from '../../../support/affiliates/promoted-site.ts';
import { aCall } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import type { ServiceOptions, TestService } from '../../../support/http/test-service.ts';
import { MailReceiver, type ReceivedMail } from '../../../support/mail/mail-receiver.ts';
import { mailSettings } from '../../../support/mail/mailed-shop.ts';
import { range } from '../../../support/range.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { hostile } from '../../../support/web/console-pages.ts';
import { getPage, sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

describe('/affiliates', () => {
  let receiver: MailReceiver;
  let service: TestService;

  async function start(options: ServiceOptions = {}): Promise<void> {
    service = await servePromoted(
      {
        listings: [aPromotable({ name: hostile }), aPromotable({ slug: 'closed', affiliates: 'none' })],
        affiliates: [anAffiliate(), anAffiliate({ handle: 'gone', state: 'ended' })],
        promotions: [],
      },
      { ...mailSettings(receiver), trustedProxies: ['127.0.0.1'], ...options },
    );
  }

  beforeEach(async () => {
    receiver = new MailReceiver();
    await receiver.listen();
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
  });

  let clients = 0;
  /** Sends the form, each time as another client. */
  const ask = (fields: Readonly<Record<string, string>>, client = `192.0.2.${(clients += 1)}`): Promise<ReceivedPage> =>
    sendForm(`${service.url}/affiliates`, fields, { 'X-Forwarded-For': client });
  const mails = (count: number): Promise<readonly ReceivedMail[]> =>
    eventually(
      async () => receiver.mails,
      (all) => all.length >= count,
    );

  const show = (query: string): Promise<ReceivedPage> => getPage(`${service.url}/affiliates${query}`);

  it('mails an affiliate a link to the own page, and answers everybody alike', async () => {
    await start();
    const answers: unknown[] = [];
    for (const email of ['nobody@example.com', 'gone@example.com', 'ADA@example.com']) {
      const { status, headers, text } = await ask({ email, listing: 'closed' });
      const { 'x-request-id': _id, date: _date, ...lasting } = headers;
      answers.push({ status, lasting, text });
    }
    expect(answers[1]).to.deep.equal(answers[0]);
    expect(answers[2]).to.deep.equal(answers[0]);
    expect(answers[0]).to.have.property('status', 303);
    expect(answers[0]).to.have.nested.property('lasting.location', '/affiliates/sent');
    expect(answers[0]).to.have.nested.property('lasting.x-robots-tag', 'noindex');
    const [mail] = await mails(1);
    expect(mail?.to).to.deep.equal(['ada@example.com']);
    expect(mail?.parsed.text).to.match(/\/affiliates\/links\/[\w-]{43}\n/);
    const token = /\/links\/([\w-]{43})/.exec(mail?.parsed.text ?? '')?.[1] ?? '';
    const link = await portsIn(service.container).buyerLinks.find(digest(token), aCall());
    // Counted apart, so that a stranger ends no link of an operator.
    expect(link).to.include({ subject: 'affiliate/ada', isForLostKeys: true });
    expect(textIn((await getPage(`${service.url}/affiliates/sent`)).text))
      .to.include('Look into your mail')
      .and.include('keys@sketchpad.example');
    await ask({ email: 'ada@example.com', listing: 'sketchpad' });
    expect((await mails(2))[1]?.parsed.text).to.match(/\/affiliates\/links\/[\w-]{43}\?listing=sketchpad\n/);
    expect(receiver.mails).to.have.length(2);
  });

  it('shows the listing that an affiliate came from, if it can be promoted', async () => {
    await start();
    const { status, headers, text } = await show('?listing=sketchpad');
    expect([status, headers['cache-control'], headers['x-robots-tag']]).to.deep.equal([200, 'no-store', 'noindex']);
    expect(headers).to.not.have.property('set-cookie');
    expect(headers['content-security-policy']).to.not.include('script-src');
    expect(textIn(text)).to.include('Promote &quot;&#39;&gt;&lt;script&gt;');
    expect(text)
      .to.include('<input type="hidden" name="listing" value="sketchpad" />')
      .and.include('href="/waitlist?role=creator"')
      .and.not.include('<script');
    for (const query of ['', '?listing=closed', '?listing=nothing']) {
      expect((await show(query)).text, query).to.not.include('name="listing"');
    }
  });

  it('refuses what is no address, and a form of another site', async () => {
    await start();
    const wrong = await ask({ email: ` ${hostile} `, listing: 'sketchpad' });
    expect([wrong.status, wrong.headers['error-code']]).to.deep.equal([400, 'invalid_email']);
    expect(wrong.text).to.include('name="listing" value="sketchpad"').and.include('aria-invalid="true"');
    expect(wrong.text).to.not.include('<script');
    const foreign = await sendForm(
      `${service.url}/affiliates`,
      { email: 'ada@example.com' },
      { Origin: 'https://evil.example' },
    );
    expect([foreign.status, foreign.headers['error-code']]).to.deep.equal([403, 'foreign_origin']);
  });

  it('takes three mails an hour for an address and ten a minute of a client, counted apart from lost keys', async () => {
    await start({ stripeApiKey: 'sk_test_1', stripeApiBase: 'http://127.0.0.1:9', smtpUrl: receiver.address });
    const ofAddress: number[] = [];
    for (const _ of range(4)) ofAddress.push((await ask({ email: 'ada@example.com' })).status);
    expect(ofAddress).to.deep.equal([303, 303, 303, 429]);
    const ofClient: number[] = [];
    for (const one of range(12)) {
      ofClient.push((await ask({ email: `nobody-${one}@example.com` }, '198.51.100.1')).status);
    }
    expect(ofClient).to.deep.equal([...range(10).map(() => 303), 429, 429]);
    const lost = await sendForm(
      `${service.url}/license/lost`,
      { email: 'ada@example.com' },
      { 'X-Forwarded-For': '198.51.100.1' },
    );
    expect(lost.status).to.equal(303);
  });

  it('has no form without mail, and says whom to ask', async () => {
    await start({ smtpUrl: null, siteHelp: 'https://shop.example/help' });
    const { text } = await getPage(`${service.url}/affiliates`);
    expect(textIn(text)).to.include('ask the operator');
    expect(text).to.include('href="https://shop.example/help"').and.not.include('<form');
    expect((await ask({ email: 'ada@example.com' })).status).to.equal(405);
  });

  it('is where the own page and a link that has ended lead to, on a site with mail alone', async () => {
    const leads = async (path: string): Promise<boolean> =>
      (await getPage(service.url + path)).text.includes('href="/affiliates"');
    const ended = `/affiliates/links/${'u'.repeat(43)}`;
    await start();
    expect([await leads(await linkOfAda(service)), await leads(ended)]).to.deep.equal([true, true]);
    await service.stop();
    await start({ smtpUrl: null, siteHelp: 'https://shop.example/help' });
    expect([await leads(await linkOfAda(service)), await leads(ended)]).to.deep.equal([false, false]);
    const { text } = await getPage(service.url + ended);
    expect(textIn(text)).to.include('ask the operator for another one').and.not.include('mailed');
    expect(text).to.include('href="https://shop.example/help"');
  });

  it('is not there without a marketplace', async () => {
    await start({ pages: 'buyers' });
    for (const path of ['/affiliates', '/affiliates/sent', '/@ada', '/go/ada/sketchpad']) {
      expect((await getPage(service.url + path)).status, path).to.equal(404);
    }
  });
});

describe('the waitlist of those who are no affiliates yet', () => {
  it('has the role that its address names', async () => {
    const service = await servePromoted({ listings: [] });
    const chosen = async (query: string): Promise<readonly unknown[]> => {
      const { text } = await getPage(`${service.url}/waitlist${query}`);
      return [/value="(\w*)"\s+selected/.exec(text)?.[1], /<details class="more"\s+open>/.test(text)];
    };
    expect(await chosen('?role=creator')).to.deep.equal(['creator', true]);
    for (const query of ['', '?role=king', '?role=']) expect(await chosen(query)).to.deep.equal([undefined, false]);
    await service.stop();
  });
});
