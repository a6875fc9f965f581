import { expect } from 'chai';
import { readFeed } from '../../../../core/feed/read-feed.ts';
import { aCall, aSubscription, granted, noon } from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { anAttempt } from '../../../support/webhooks/builders.ts';

const url = 'https://shop.example/hooks';
const view = {
  id: 'whk_1',
  url,
  productId: null,
  types: null,
  state: 'enabled',
  reason: null,
  secrets: 1,
  createdAt: noon.toISOString(),
};
const stream = {
  productId: 'prod_1',
  position: 0,
  pending: 0,
  parked: 0,
  failingSince: null,
  nextProbeAt: null,
  deliveredAt: null,
  attempts: [],
};

describe('latchkey webhook', () => {
  const store = freshStore(memory.open);
  let cli: TestCommandLine;
  beforeEach(() => {
    cli = new TestCommandLine(store());
  });

  const add = async (more = ''): Promise<{ readonly id: string; readonly secret: string | null }> =>
    (await cli.json(`webhook add --url ${url}${more}`)) as { id: string; secret: string | null };

  it('adds an endpoint and shows its secret once', async () => {
    const added = await add(' --id whk_1');
    expect(added.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await add(' --id whk_1')).to.deep.equal({ id: 'whk_1', secret: null });
    expect(await cli.json('webhook list')).to.deep.equal([view]);
    expect(cli.changes).to.deep.equal([{ command: 'webhook add', webhookId: 'whk_1' }]);
  });

  it('says that a secret is shown once, and when it was shown before', async () => {
    const args = ['webhook', 'add', '--url', url, '--id', 'whk_1'];
    expect((await cli.run(args)).stdout).to.match(/The secret is shown only this once\.\n$/);
    expect((await cli.run(args)).stdout).to.match(/its secret is not shown again\.\n$/);
  });

  it('takes a product and types', async () => {
    await cli.json('product add --id prod_1 --name One');
    const { id } = await add(' --product prod_1 --types license.revoked,entitlement.ended');
    const terms = { ...view, id, productId: 'prod_1', types: ['entitlement.ended', 'license.revoked'] };
    expect(await cli.json(`webhook show ${id}`)).to.deep.equal({ ...terms, deliveries: [stream] });
  });

  it('shows the last attempts of each product with --json', async () => {
    await cli.json('product add --id prod_1 --name One');
    await add(' --id whk_1');
    const [stored] = await store().deliveryStreams.page({ endpointId: null, after: null, limit: 1 }, aCall());
    if (stored === undefined) throw new Error('the endpoint has a stream');
    const next = { ...stored, attempts: [anAttempt()], fence: stored.fence + 1 };
    await store().deliveryStreams.replace(next, aCall());
    const attempt = { at: noon.toISOString(), eventId: 'evt_1', status: 204, reason: null, durationMs: 12 };
    const deliveries = [{ ...stream, attempts: [attempt] }];
    expect(await cli.json('webhook show whk_1')).to.deep.equal({ ...view, deliveries });
  });

  it('shows what it knows of an endpoint without --json', async () => {
    await cli.json('product add --id prod_1 --name One');
    await add(' --id whk_1');
    const { stdout } = await cli.run(['webhook', 'show', 'whk_1']);
    expect(stdout)
      .to.match(/^State +enabled$/m)
      .and.to.match(/^Product id +Position/m);
  });

  it('rotates a secret, disables, enables, retries and deletes', async () => {
    const { secret } = await add(' --id whk_1');
    const rotated = (await cli.json('webhook rotate-secret whk_1 --overlap 1h')) as { readonly secret: string };
    expect(rotated.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    const disabled = { ...view, state: 'disabled', reason: 'requested', secrets: 2 };
    expect(await cli.json('webhook disable whk_1')).to.deep.equal(disabled);
    expect(await cli.json('webhook enable whk_1')).to.deep.equal({ ...view, secrets: 2 });
    expect(await cli.json('webhook retry whk_1')).to.deep.equal({ events: 0 });
    expect(await cli.json('webhook delete whk_1')).to.deep.equal({ deleted: 1 });
    expect(await cli.json('webhook delete whk_1')).to.deep.equal({ deleted: 0 });
    expect(cli.changes.map(({ command }) => command)).to.deep.equal([
      'webhook add',
      'webhook rotate-secret',
      'webhook disable',
      'webhook enable',
      'webhook delete',
    ]);
  });

  it('replays from a cursor of the feed', async () => {
    await cli.json('product add --id prod_1 --name One');
    await store().allEntitlements.add(granted([aSubscription({ sequence: 1 })]), aCall());
    await store().settle();
    await add(' --id whk_1');
    const replayed = await cli.json('webhook replay whk_1 --product prod_1 --from 0-');
    expect(replayed).to.deep.equal(stream);
  });

  it('skips to a cursor of the feed, and logs it once', async () => {
    await cli.json('product add --id prod_1 --name One');
    await add(' --id whk_1');
    await store().allEntitlements.add(granted([aSubscription({ sequence: 1 })]), aCall());
    await store().settle();
    const { next } = await readFeed(store().events)('prod_1', { after: null, limit: 1 }, aCall());
    const skip = `webhook skip whk_1 --product prod_1 --to ${next}`;
    expect(await cli.json(`${skip} --entitlement ent_1`)).to.deep.equal(stream);
    for (const _ of ['once', 'twice']) expect(await cli.json(skip)).to.deep.equal({ ...stream, position: 1 });
    expect((await cli.run(skip.split(' '))).stdout).to.match(/^Position +1$/m);
    expect(cli.changes.filter(({ command }) => command === 'webhook skip')).to.have.length(1);
  });

  it('says how a test has gone', async () => {
    await cli.json('webhook add --url https://127.0.0.1:1/ --id whk_1');
    const answer = 'an address that is not allowed';
    expect(await cli.json('webhook test whk_1')).to.deep.equal({ delivered: false, answer });
    expect((await cli.run(['webhook', 'test', 'whk_1'])).stdout).to.equal(`Not delivered: ${answer}.\n`);
    const test = { command: 'webhook test', webhookId: 'whk_1' };
    expect(cli.changes.slice(1)).to.deep.equal([test, test]);
  });
});
