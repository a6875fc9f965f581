import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSubscription, hour, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, changesOn, fieldIn, secretIn } from '../../../support/web/console-pages.ts';
import { loopback } from '../../../support/webhooks/deliveries.ts';
import { answerWith, Receiver } from '../../../support/webhooks/receiver.ts';

const url = 'https://shop.example/hooks/a-path-that-nobody-knows';

describe("the console's pages of webhooks", () => {
  const client = freshConsole(memory);
  const list = '/console/webhooks';
  const one = `${list}/whk_1`;

  beforeEach(async () => {
    await client()
      .service.container.get(tokens.products)
      .put({ id: 'prod_1', name: 'Sketchpad', createdAt: later(0) }, aCall());
    await client().signIn();
  });

  const add = (form: Readonly<Record<string, string>> = {}) =>
    client().submit(`${list}/add`, { id: 'whk_1', url, ...form });
  const ask = async (change: string) => fieldIn((await client().get(`${one}/${change}`)).text, 'version');
  const change = async (name: string) => client().submit(`${one}/${name}`, { version: await ask(name) });
  const find = () => client().service.container.get(tokens.webhookEndpoints).find('whk_1', aCall());

  it('say what an endpoint is for, and how to add one', async () => {
    const { text } = await client().get(list);
    expect(text).to.include('No endpoint yet').and.include(`href="${list}/add"`).and.include('latchkey webhook add');
  });

  it('add an endpoint whose secret is shown once', async () => {
    const id = fieldIn((await client().get(`${list}/add`)).text, 'id');
    expect(id).to.match(/^whk_/);
    const added = await add();
    const secret = secretIn(added.text) ?? '';
    expect(secret).to.match(/^whsec_/);
    const repeated = await add();
    expect([repeated.status, secretIn(repeated.text)]).to.deep.equal([200, null]);
    expect(repeated.text).to.include('It is not shown again.');
    const pages = [await client().get(list), await client().get(one)].map(({ text }) => text).join('');
    expect(pages).to.include('shop.example').and.include('Nothing was delivered yet.').and.not.include(secret);
    expect(changesIn(client())).to.deep.equal([{ command: 'webhook add', webhookId: 'whk_1' }]);
    const logged = JSON.stringify(client().service.logged);
    expect(logged).to.not.include(secret).and.not.include('a-path-that-nobody-knows');
  });

  it('add one for a product and for types of events', async () => {
    await add({ productId: 'prod_1', types: 'entitlement.ended' });
    const { productId, types } = (await find()) ?? {};
    expect([productId, types]).to.deep.equal(['prod_1', ['entitlement.ended']]);
    expect((await client().get(one)).text).to.include('entitlement.ended');
  });

  it('name the fields that are wrong', async () => {
    const wrong = await add({ id: 'a b', url: 'ftp://x', types: 'x' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    for (const field of ['id', 'url', 'types']) expect(wrong.text).to.include(`id="${field}-error"`);
    expect(wrong.text).to.include('value="ftp://x"');
    expect((await add({ productId: 'prod_9' })).text).to.include(
      'id="productId-error">Product must be that of a product that exists.',
    );
    await add();
    expect((await add({ url: 'https://other.example/' })).text).to.include('Id is that of another endpoint.');
  });

  it('show a reader the host and no path, and no change', async () => {
    await add();
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    for (const path of [list, one]) {
      const { text } = await client().get(path);
      expect(text).to.include('shop.example').and.not.include('a-path-that-nobody-knows');
      expect(changesOn(text)).to.deep.equal([]);
    }
    for (const path of ['/add', '/whk_1/test', '/whk_1/delete']) {
      expect(outcomeOf(await client().get(list + path))).to.deep.equal([403, 'insufficient_scope']);
    }
  });

  it('disable and enable an endpoint, each in two steps and once', async () => {
    await add();
    const { text } = await client().get(`${one}/disable`);
    expect(text).to.include('Disable this endpoint?').and.include('none is lost').and.include('>Keep it<');
    const version = fieldIn(text, 'version');
    for (const _ of [1, 2]) {
      const done = await client().submit(`${one}/disable`, { version });
      expect(outcomeOf(done)).to.deep.equal([303, `${one}?done=disable`]);
    }
    expect((await client().get(one)).text)
      .to.include('Disabled by an operator.')
      .and.include(`href="${one}/enable"`);
    expect(outcomeOf(await change('enable'))).to.deep.equal([303, `${one}?done=enable`]);
    const stale = await client().submit(`${one}/disable`, { version: '' });
    expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
    expect((await find())?.state).to.equal('enabled');
    expect(changesIn(client()).map(({ command }) => command)).to.deep.equal([
      'webhook add',
      'webhook disable',
      'webhook enable',
    ]);
  });

  it('refuse a change of an endpoint that is not as it was shown', async () => {
    await add();
    const version = await ask('delete');
    await change('disable');
    const late = await client().submit(`${one}/delete`, { version });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    expect(late.text)
      .to.match(/enabled.*disabled \(requested\)/s)
      .and.include('Nothing was changed');
    expect(await find()).to.not.equal(null);
  });

  it('delete an endpoint once', async () => {
    await add();
    const version = await ask('delete');
    for (const _ of [1, 2]) {
      const done = await client().submit(`${one}/delete`, { version });
      expect(outcomeOf(done)).to.deep.equal([303, `${list}?done=delete`]);
    }
    expect(await find()).to.equal(null);
    expect(outcomeOf(await client().get(one))).to.deep.equal([404, 'webhook_not_found']);
  });

  it('rotate the secret, which is shown once', async () => {
    await add();
    const path = `${one}/rotate-secret`;
    const { text } = await client().get(path);
    const version = fieldIn(text, 'version');
    const wrong = await client().submit(path, { version, overlap: 'long' });
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
    const fields = { version, overlap: fieldIn(text, 'overlap') };
    expect(secretIn((await client().submit(path, fields)).text)).to.match(/^whsec_/);
    const again = await client().submit(path, fields);
    expect([again.status, secretIn(again.text)]).to.deep.equal([409, null]);
    expect(again.text).to.include('it is not shown again');
    expect((await find())?.secrets).to.have.lengthOf(2);
  });

  it('rotate the secret once for forms that are sent at the same instant, or again without an overlap', async () => {
    await add();
    const path = `${one}/rotate-secret`;
    const token = await client().token();
    const fields = { token, version: fieldIn((await client().get(path)).text, 'version'), overlap: '0s' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client().post(path, fields)));
    answers.push(await client().post(path, fields));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409, 409, 409, 409]);
    for (const { text } of answers.filter(({ status }) => status === 409)) {
      expect(text).to.include('It changed while you were looking').and.include('it is not shown again');
    }
    const [secret] = answers.map(({ text }) => secretIn(text)).filter((text) => text !== null);
    expect((await find())?.secrets.map(({ key }) => key)).to.deep.equal([secret]);
  });

  it('skip what was not delivered, after they have said how much it is', async () => {
    await add();
    await client().service.grant(
      aSubscription({ id: 'ent_a', sequence: 1 }),
      aSubscription({ id: 'ent_b', sequence: 1 }),
    );
    expect((await client().get(one)).text).to.match(/data-label="Waiting"[^>]*>\s*2/);
    const path = `${one}/skip`;
    const asked = await client().submit(path, { productId: 'prod_1' });
    expect(asked.text).to.include('Skip 2 events?').and.include('never gets these events');
    const fields = { productId: 'prod_1', to: fieldIn(asked.text, 'to'), entitlementId: '' };
    expect(outcomeOf(await client().submit(path, fields))).to.deep.equal([303, `${one}?done=skip`]);
    expect(outcomeOf(await client().submit(path, fields))).to.deep.equal([303, `${one}?done=nothing`]);
    const wrong = await client().submit(path, { productId: '', entitlementId: 'a b' });
    expect(wrong.text).to.include('id="productId-error"').and.include('id="entitlementId-error"');
  });

  it('show how the receiver has answered, and until when it may fail', async () => {
    await add();
    await client().service.grant(aSubscription({ id: 'ent_a', sequence: 1 }));
    const { deliveryStreams, events } = portsIn(client().service.container);
    const [placed] = (await events.page('prod_1', 0, 1, aCall())).events;
    const attempt = { at: later(-1000), position: 1, eventId: placed?.event.id ?? '' };
    const attempts = [
      { ...attempt, status: null, reason: 'timeout <15 s>', durationMs: 15_000 },
      { ...attempt, at: later(-2000), status: 503, reason: null, durationMs: 1234 },
    ];
    const [seen] = await deliveryStreams.page({ endpointId: 'whk_1', after: null, limit: 1 }, aCall());
    if (seen === undefined) throw new Error('the endpoint has no stream');
    const probe = { attempt: 1, at: later(42 * 60_000) };
    await deliveryStreams.replace(
      { ...seen, fence: seen.fence + 1, attempts, failingSince: later(-hour), probe },
      aCall(),
    );
    const { text } = await client().get(one);
    expect(text).to.include('Failing since').and.include('The receiver does not answer.').and.include('in 42 minutes');
    expect(text)
      .to.include('23 July 2026, 11:00 UTC')
      .and.include('timeout &lt;15 s&gt;')
      .and.include('15 s')
      .and.include('1.2 s');
    expect(text).to.include('href="/console/entitlements/ent_a"').and.include('No answer').and.include('503');
    expect((await client().get(list)).text).to.include('Failing');
    client().service.now = later(43 * 60_000);
    expect((await client().get(one)).text).to.match(/The next attempt is at .*12:42 UTC<\/time>, now\./);
    expect((await client().get('/console')).text).to.include('The next attempt is now.');
  });

  it('retry at once, unless the endpoint is disabled', async () => {
    await add();
    expect(outcomeOf(await change('retry'))).to.deep.equal([303, `${one}?done=retry`]);
    await change('disable');
    const refused = await change('retry');
    expect(outcomeOf(refused)).to.deep.equal([409, 'webhook_disabled']);
    expect(refused.text).to.include('Nothing was changed');
  });
});

describe("the console's test of an endpoint", () => {
  const client = freshConsole(memory, { webhookAllowNetworks: loopback });

  it('shows what the receiver has answered', async () => {
    const receiver = await Receiver.start();
    try {
      await client().signIn();
      const { text } = await client().submit('/console/webhooks/add', { id: 'whk_1', url: receiver.url });
      receiver.secrets = [secretIn(text) ?? ''];
      const path = '/console/webhooks/whk_1/test';
      expect((await client().get(path)).text)
        .to.include('Send a test message?')
        .and.include('Nothing is changed.');
      expect((await client().submit(path)).text)
        .to.include('The test message was accepted')
        .and.include('204');
      receiver.answer = answerWith(503);
      expect((await client().submit(path)).text)
        .to.include('The test message was not accepted')
        .and.include('503');
    } finally {
      await receiver.close();
    }
  });
});
