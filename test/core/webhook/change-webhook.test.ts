import { expect } from 'chai';
import { findWebhook } from '../../../core/webhook/change-webhook.ts';
import { disableWebhook, enableWebhook } from '../../../core/webhook/enable-webhook.ts';
import { rotateWebhookSecret } from '../../../core/webhook/rotate-webhook-secret.ts';
import { testWebhook } from '../../../core/webhook/send-delivery.ts';
import { signingKeys, type EndpointSecret, type WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { aCall, deadlineIn, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aSecret, aStream } from '../../support/webhooks/builders.ts';

describe('a webhook endpoint', () => {
  const store = freshStore(memory.open);
  const endpoints = () => store().webhookEndpoints;
  const streams = () => store().deliveryStreams;
  const stored = () => endpoints().find('whk_1', aCall());

  const add = (overrides: Partial<WebhookEndpoint> = {}) => endpoints().add(anEndpoint(overrides), aCall());

  /** The endpoints, changed by another process before each of the first `times` changes. */
  const contended = (times: number) => {
    let changes = 0;
    return interposed(endpoints(), async (method) => {
      if (method !== 'replace') return;
      changes += 1;
      const seen = await stored();
      if (seen === null || changes > times) return;
      await endpoints().replace({ ...seen, url: `https://b.example/${changes}`, revision: seen.revision + 1 }, aCall());
    });
  };

  it('is disabled once, for the first reason', async () => {
    await add();
    const disable = disableWebhook(endpoints());
    const endpoint = anEndpoint({ state: 'disabled', reason: 'gone', revision: 2 });
    expect(await disable('whk_1', 'gone', aCall())).to.deep.equal({ endpoint, changed: true });
    expect(await disable('whk_1', 'requested', aCall())).to.deep.equal({ endpoint, changed: false });
    expect(await stored()).to.deep.equal(endpoint);
  });

  it('is enabled once, without a reason', async () => {
    await add({ state: 'disabled', reason: 'failing' });
    const enable = enableWebhook(endpoints(), streams());
    const endpoint = anEndpoint({ revision: 2 });
    expect(await enable('whk_1', aCall())).to.deep.equal({ endpoint, changed: true });
    expect(await enable('whk_1', aCall())).to.deep.equal({ endpoint, changed: false });
    expect(await stored()).to.deep.equal(endpoint);
  });

  it('has everything that failed due once it is enabled, and only then', async () => {
    await add({ state: 'disabled', reason: 'failing' });
    const failed = aStream({ pending: new Map([['a', { positions: [1], attempt: 3, at: null }]]), failingSince: noon });
    await streams().add([failed], aCall());
    const enable = enableWebhook(endpoints(), streams());
    await enable('whk_1', aCall({ now: later(5) }));
    const due = aStream({ pending: new Map([['a', { positions: [1], attempt: 0, at: later(5) }]]), fence: 2 });
    expect(await streams().find(failed, aCall())).to.deep.equal(due);
    await enable('whk_1', aCall({ now: later(9) }));
    expect(await streams().find(failed, aCall())).to.deep.equal(due);
  });

  it('gets a new secret, beside which those before sign until the overlap or their own end', async () => {
    const [ended, soon, late] = ['whsec_0', 'whsec_1', 'whsec_2'];
    const secrets: readonly EndpointSecret[] = [
      { key: aSecret, until: null },
      { key: late, until: later(9000) },
      { key: soon, until: later(10) },
      { key: ended, until: noon },
    ];
    await add({ secrets });
    const rotated = await rotateWebhookSecret(endpoints(), () => 'whsec_new')(
      { id: 'whk_1', overlap: 1000, revision: null },
      aCall(),
    );
    const endpoint = anEndpoint({
      secrets: [
        { key: 'whsec_new', until: null },
        { key: aSecret, until: later(1000) },
        { key: late, until: later(1000) },
        { key: soon, until: later(10) },
      ],
      revision: 2,
    });
    expect(rotated).to.deep.equal({ endpoint, secret: 'whsec_new' });
    expect(await stored()).to.deep.equal(endpoint);
    expect(signingKeys(endpoint, later(10))).to.deep.equal(['whsec_new', aSecret, late]);
  });

  it('gets one secret for a revision, however often that is rotated', async () => {
    await add();
    const { revision } = await findWebhook(endpoints(), 'whk_1', aCall());
    const rotate = rotateWebhookSecret(endpoints(), () => 'whsec_new');
    const rotations = range(3).map(() => rotate({ id: 'whk_1', overlap: 1, revision }, aCall()));
    const outcomes = await Promise.allSettled(rotations);
    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    expect((await refusalOf(rotate({ id: 'whk_1', overlap: 1, revision }, aCall()))).code).to.equal(
      'changed_meanwhile',
    );
    expect((await findWebhook(endpoints(), 'whk_1', aCall())).secrets).to.have.length(2);
  });

  it('has at most ten secrets that sign', async () => {
    const secrets = range(9).map((index) => ({ key: `whsec_${index}`, until: index === 0 ? null : later(1) }));
    await add({ secrets });
    const rotate = rotateWebhookSecret(endpoints(), () => 'whsec_new');
    expect((await rotate({ id: 'whk_1', overlap: 1, revision: null }, aCall())).endpoint.secrets).to.have.length(10);
    expect((await refusalOf(rotate({ id: 'whk_1', overlap: 1, revision: null }, aCall()))).code).to.equal(
      'too_many_secrets',
    );
    const { endpoint } = await rotate({ id: 'whk_1', overlap: 1, revision: null }, aCall({ now: later(1) }));
    expect(endpoint.secrets).to.deep.equal([
      { key: 'whsec_new', until: null },
      { key: 'whsec_new', until: later(2) },
    ]);
  });

  it('is changed as another process has left it', async () => {
    await add();
    const { endpoint } = await disableWebhook(contended(9))('whk_1', 'requested', aCall());
    expect(endpoint).to.deep.equal(
      anEndpoint({ url: 'https://b.example/9', state: 'disabled', reason: 'requested', revision: 11 }),
    );
  });

  it('is not changed if other processes are faster until the deadline', async () => {
    await add();
    const call = aCall({ deadline: deadlineIn(50) });
    const { code } = await refusalOf(disableWebhook(contended(Infinity))('whk_1', 'requested', call));
    expect(code).to.equal('changed_meanwhile');
    expect((await stored())?.state).to.equal('enabled');
  });

  it('gets a test message with the keys that sign now, and nothing of it is stored', async () => {
    await add({
      secrets: [
        { key: 'whsec_new', until: null },
        { key: 'whsec_good', until: later(1) },
        { key: 'whsec_ended', until: noon },
      ],
    });
    const sent: unknown[] = [];
    const outcome = { kind: 'failed', answer: 'status 500', status: 500, retryAfter: null } as const;
    const test = testWebhook(
      endpoints(),
      () => 'evt_test',
      async (...parameters) => {
        sent.push(parameters);
        return outcome;
      },
    );
    expect(await test('whk_1', aCall({ deadline: { remaining: () => 1000 } }))).to.equal(outcome);
    const message = { id: 'evt_test', type: 'webhook.test', at: noon };
    const keys = ['whsec_new', 'whsec_good'];
    expect(sent).to.deep.equal([[{ url: anEndpoint().url, isPublicOnly: false, keys, message }, 750]]);
    expect((await stored())?.revision).to.equal(1);
  });

  it('is neither changed nor tested under another id', async () => {
    const refused = [
      disableWebhook(endpoints())('whk_2', 'requested', aCall()),
      enableWebhook(endpoints(), streams())('whk_2', aCall()),
      rotateWebhookSecret(endpoints(), () => aSecret)({ id: 'whk_2', overlap: 1, revision: null }, aCall()),
    ];
    for (const each of refused) expect((await refusalOf(each)).code).to.equal('webhook_not_found');
  });
});
