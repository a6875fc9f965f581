import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { eventTypes } from '../../adapters/stripe/hook/event-subjects.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { stripeCommands } from '../../app/stripe-commands.ts';
import { outgoing } from '../../core/billing/outgoing-stream.ts';
import { newStream, streamName, type DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { commandSettings } from '../support/administration.ts';
import { anAffiliate, aPromotion } from '../support/affiliates/builders.ts';
import { aCall, day, later } from '../support/builders.ts';
import { TestCommandLine, type Run } from '../support/cli/command-line.ts';
import { range } from '../support/range.ts';
import { freshStore, memory } from '../support/stores/stores.ts';
import { LookedAtShop } from '../support/stripe/looked-at-shop.ts';

describe('latchkey stripe', () => {
  const store = freshStore(memory.open);
  let at: LookedAtShop;
  let cli: TestCommandLine;

  beforeEach(async () => {
    at = await LookedAtShop.open(store());
    cli = new TestCommandLine();
  });
  afterEach(() => at.shop.stop());

  function run(
    line: string,
    key = at.shop.apiKey,
    secret: readonly string[] | null = ['whsec_1'],
    base = at.shop.url,
  ): Promise<Run> {
    const settings = {
      stripeApiKey: key,
      stripeApiBase: base,
      stripeWebhookSecret: secret,
      endingSoon: 0,
      stripeUnpaidAccess: 0,
    };
    const { administration } = at;
    const by = 'command:test';
    return cli.run(line.split(' '), '', {
      newCall: () => aCall({ now: at.now }),
      openStore: async () => ({
        ...administration,
        ...commandSettings,
        stripe: (logging) =>
          stripeCommands({ ports: store(), administration: logging, platform: nodePlatform, by }, settings),
        close: async () => {},
      }),
    });
  }

  async function json(line: string): Promise<{ readonly exitCode: number; readonly value: unknown }> {
    const { exitCode, stdout } = await run(`${line} --json`);
    return { exitCode, value: JSON.parse(stdout) };
  }

  /** The last finding of `check --json`. */
  async function backlog(): Promise<{ readonly exitCode: number; readonly value: unknown }> {
    const { exitCode, stdout } = await run('stripe check --json');
    const { findings }: { readonly findings: readonly unknown[] } = JSON.parse(stdout);
    return { exitCode, value: findings.at(-1) };
  }

  it('check finds a shop in order as before once Stripe is the merchant of record of its sales', async () => {
    const before = await json('stripe check');
    await at.subscribe({ managedPayments: true });
    await at.purchase({ managedPayments: true });
    expect(await json('stripe check')).to.deep.equal(before);
  });

  it('map add makes the secret of license keys once, so that every backup from then on has it', async () => {
    const secrets = store().licenseSecrets;
    const missing = await run('stripe map add --price price_1 --product nothing --tier pro --tier-name Pro');
    expect([missing.exitCode, await secrets.read(aCall())]).to.deep.equal([1, null]);
    const add = 'stripe map add --price price_1 --product sketchpad --tier pro --tier-name Pro';
    expect(await run(add)).to.include({ exitCode: 0 });
    const made = await secrets.read(aCall());
    expect(made).to.have.property('secret').with.length(43);
    await run(add);
    expect(await secrets.read(aCall())).to.deep.equal(made);
  });

  describe('reconcile', () => {
    it('names each difference and changes nothing; with --fix it removes those that it can', async () => {
      const { subscription: missing } = await at.shop.subscribe({ price: 'price_pro' });
      const { subscription: unmapped } = await at.shop.subscribe({ price: 'price_unmapped' });
      const different = await at.subscribe();
      await at.shop.cancel(different);
      const purchase = await at.shop.purchase({ price: 'price_once' });
      const revoked = await at.subscribe();
      await at.administration.runEntitlementCommand(revoked, { kind: 'revoke' }, aCall());
      const same = await at.subscribe();
      const kinds = [
        { id: revoked, kind: 'not_sent' },
        { id: different, kind: 'different' },
        { id: unmapped, kind: 'unmapped' },
        { id: missing, kind: 'missing' },
        { id: purchase, kind: 'missing' },
      ];
      const found = { compared: 6, fixed: 0, differences: kinds };
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 1, value: found });
      expect(await at.find(missing)).to.equal(null);
      const left = { compared: 6, fixed: 4, differences: [kinds[2]] };
      expect(await json('stripe reconcile --fix')).to.deep.equal({ exitCode: 1, value: left });
      expect(await at.show(different)).to.include({ cancelAtPeriodEnd: true });
      expect(await at.operations(missing)).to.deep.equal(['granted']);
      expect(await at.operations(same)).to.deep.equal(['granted']);
      await at.map('price_unmapped', 'pro');
      const rest = { compared: 6, fixed: 1, differences: [] };
      expect(await json('stripe reconcile --fix')).to.deep.equal({ exitCode: 0, value: rest });
      expect((await run('stripe reconcile')).stdout).to.equal('Compared: 6. Fixed: 0. Different: 0.\n');
    });

    it('names what is suspended at Stripe and unknown here; with --fix it is granted as such', async () => {
      const { subscription } = await at.shop.subscribe({ price: 'price_pro' });
      await at.shop.pause(subscription);
      const purchase = await at.shop.purchase({ price: 'price_once' });
      await at.shop.dispute(purchase);
      const refunded = await at.shop.purchase({ price: 'price_once' });
      await at.shop.refund(refunded);
      const missing = [subscription, purchase].map((id) => ({ id, kind: 'missing' }));
      const found = { compared: 3, fixed: 0, differences: missing };
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 1, value: found });
      const fixed = { compared: 3, fixed: 2, differences: [] };
      expect(await json('stripe reconcile --fix')).to.deep.equal({ exitCode: 0, value: fixed });
      for (const id of [subscription, purchase]) expect(await at.show(id)).to.include({ status: 'suspended' });
      expect(await at.find(refunded)).to.equal(null);
    });

    it('names the sales of affiliates that are missing here; with --fix it attributes them', async () => {
      const reference = 'via_ada_sketchpad';
      const ids = [await at.subscribe({ reference }), await at.purchase({ reference })];
      await at.subscribe();
      await store().affiliates.replace(null, anAffiliate(), aCall());
      await store().promotions.replace(null, aPromotion({ productId: 'sketchpad' }), aCall());
      for (const id of ids) await at.lookAt(id);
      const differences = ids.map((id) => ({ id, kind: 'commission' }));
      const found = { compared: 3, fixed: 0, differences };
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 1, value: found });
      const fixed = { compared: 3, fixed: 2, differences: [] };
      expect(await json('stripe reconcile --fix')).to.deep.equal({ exitCode: 0, value: fixed });
      const sales = await Promise.all(ids.map((id) => store().sales.find(id, aCall())));
      expect(sales.map((sale) => sale && [sale.by, sale.payments.length])).to.deep.equal([
        ['link', 1],
        ['link', 1],
      ]);
    });

    it('counts the sales that differ in words that fit one as well', async () => {
      const errors: string[] = [];
      for (const _ of range(2)) {
        await at.shop.subscribe({ price: 'price_pro' });
        errors.push((await run('stripe reconcile')).stderr);
      }
      expect(errors[0]).to.include('The store differs from Stripe in 1 sale.');
      expect(errors[1]).to.include('The store differs from Stripe in 2 sales.');
    });

    it('compares only what has happened since, each once', async () => {
      await at.shop.subscribe({ price: 'price_pro' });
      at.now = later(10 * day);
      const { subscription } = await at.shop.subscribe({ price: 'price_pro' });
      await at.shop.refund(subscription);
      await at.lookAt(subscription);
      const found = { compared: 1, fixed: 0, differences: [] };
      expect(await json('stripe reconcile --since 7d')).to.deep.equal({ exitCode: 0, value: found });
      const all = await json('stripe reconcile --since 30d');
      expect(all.value).to.include({ compared: 2 });
      expect((await run('stripe reconcile --since 31d')).exitCode).to.equal(2);
    });

    it('counts what cannot be read as a difference, and fails where nothing can be listed', async () => {
      const id = await at.subscribe();
      at.shop.faults.answer('GET /v1/subscriptions/:id', 500, { times: 2 });
      const found = { compared: 1, fixed: 0, differences: [{ id, kind: 'unread' }] };
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 1, value: found });
      at.shop.expireKey();
      const { exitCode, stderr } = await run('stripe reconcile --json');
      expect([exitCode, JSON.parse(stderr).code]).to.deep.equal([1, 'stripe_unavailable']);
    });

    it('names what is on its way to Stripe; with --fix it sends it, whether or not a server runs', async () => {
      const id = await at.subscribe();
      await at.administration.runEntitlementCommand(id, { kind: 'cancel' }, aCall());
      const found = { compared: 1, fixed: 0, differences: [{ id, kind: 'not_sent' }] };
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 1, value: found });
      const fixed = { compared: 1, fixed: 1, differences: [] };
      expect(await json('stripe reconcile --fix')).to.deep.equal({ exitCode: 0, value: fixed });
      expect(at.shop.object(id)).to.include({ cancel_at_period_end: true });
      expect(await json('stripe reconcile')).to.deep.equal({ exitCode: 0, value: { ...fixed, fixed: 0 } });
    });
  });

  describe('check', () => {
    const prices = ['price_pro', 'price_team', 'price_once', 'price_unmapped'];
    const nothingWaits = 'Changes that wait to go to Stripe: 0 pending, 0 parked.';

    it('is content where everything is set up', async () => {
      at.shop.addEndpoint({ url: 'https://shop.example/hooks/stripe', events: [...eventTypes] });
      for (const price of prices) await at.map(price, 'pro');
      const { exitCode, stdout } = await run('stripe check');
      expect([exitCode, stdout.split('\n')]).to.deep.equal([
        0,
        [
          'The key is valid and may read what Latchkey reads.',
          'The endpoint is enabled and gets every type that it needs.',
          'Every active price is mapped.',
          nothingWaits,
          '',
        ],
      ]);
    });

    it('does not speak of mapped prices where none is active', async () => {
      for (const id of prices) at.shop.addPrice({ id, active: false });
      expect((await run('stripe check')).stdout.split('\n')[2]).to.equal(
        'Stripe has no active price: nothing is sold there.',
      );
    });

    it('says in a line each what is to do', async () => {
      at.shop.addEndpoint({ url: 'https://shop.example/hooks/stripe', events: eventTypes.slice(1) });
      const { exitCode, stdout } = await run('stripe check', at.shop.apiKey, null);
      expect([exitCode, stdout.trimEnd().split('\n')]).to.deep.equal([
        1,
        [
          'The key is valid and may read what Latchkey reads.',
          'STRIPE_WEBHOOK_SECRET is not set: set it to that of the endpoint.',
          `The endpoint https://shop.example/hooks/stripe does not get ${eventTypes[0]}: add them at Stripe.`,
          'The price price_unmapped is not mapped: map it with stripe map add --price price_unmapped, or archive it at Stripe.',
          nothingWaits,
        ],
      ]);
    });

    it('counts what waits to go to Stripe, also without a valid key, and says how to send what is parked', async () => {
      const { deliveryStreams } = store();
      const name = streamName(outgoing, 'sketchpad');
      const waiting: DeliveryStream = {
        ...newStream(name, 3),
        pending: new Map([
          ['sub_1', { positions: [1, 2], attempt: 3, at: later(day) }],
          ['sub_2', { positions: [3], attempt: 9, at: later(day) }],
        ]),
      };
      await deliveryStreams.add([waiting], aCall());
      at.shop.expireKey();
      const message = 'Changes that wait to go to Stripe: 3 pending, 0 parked.';
      expect((await backlog()).value).to.deep.equal({ check: 'backlog', ok: true, message, pending: 3, parked: 0 });
      at.shop.restoreKey();
      at.shop.addEndpoint({ url: 'https://shop.example/hooks/stripe', events: [...eventTypes] });
      for (const price of prices) await at.map(price, 'pro');
      expect(await backlog()).to.deep.include({ exitCode: 0 });
      const pending = new Map(waiting.pending).set('sub_2', { positions: [3], attempt: 10, at: null });
      await deliveryStreams.replace({ ...waiting, pending, fence: waiting.fence + 1 }, aCall());
      const parked =
        'Changes that wait to go to Stripe: 2 pending, 1 parked: send them with latchkey stripe reconcile --fix.';
      const finding = { check: 'backlog', ok: false, message: parked, pending: 2, parked: 1 };
      expect(await backlog()).to.deep.equal({ exitCode: 1, value: finding });
      expect((await run('stripe check')).stdout.trimEnd().split('\n').at(-1)).to.equal(parked);
    });

    it('asks for the permission to read customers, for mail and for finding by address', async () => {
      const read = 'read' as const;
      const key = at.shop.restrictedKey({ subscription: 'write', checkout_session: read, invoice: read });
      const lacks = 'The key may not read Customers: give it the permission at Stripe.\n';
      expect((await run('stripe check', key)).stdout).to.include(lacks);
      expect((await run('stripe check')).stdout).to.not.include('Customers');
    });

    it('asks for the permission to read promotion codes once an affiliate has one', async () => {
      const key = at.shop.restrictedKey({ subscription: 'write', checkout_session: 'read', invoice: 'read' });
      const lacks = 'The key may not read Promotion Codes: give it the permission at Stripe.\n';
      await store().promotions.replace(null, aPromotion(), aCall());
      expect((await run('stripe check', key)).stdout).not.to.include('Promotion Codes');
      await store().promotions.replace(null, aPromotion({ handle: 'bob', codes: ['bob10'] }), aCall());
      expect((await run('stripe check', key)).stdout).to.include(lacks);
      expect((await run('stripe check')).stdout).not.to.include('Promotion Codes');
    });

    it('names the permissions that the key lacks, and no more than the key where that is wrong', async () => {
      const key = at.shop.restrictedKey({ subscription: 'write', checkout_session: 'read', invoice: 'read' });
      const { stdout } = await run('stripe check', key);
      expect(stdout).to.include('The key may not read Disputes: give it the permission at Stripe.\n');
      expect(stdout).not.to.include('may not read Subscriptions');
      at.shop.expireKey();
      expect((await run('stripe check')).stdout).to.equal(
        `Stripe refuses the key: it is wrong or has expired. Set STRIPE_API_KEY to a valid one.\n${nothingWaits}\n`,
      );
    });

    const onceMore = { times: 2 };
    const answers: Readonly<Record<string, readonly [break_: () => void, line: string]>> = {
      '404': [
        () => at.shop.faults.answer('*', 404),
        'Stripe answers 404 where Subscriptions are read: check STRIPE_API_BASE.',
      ],
      '400 for one thing': [
        () => at.shop.faults.answer('GET /v1/invoice_payments', 400),
        'Stripe answers 400 where Invoices are read: check STRIPE_API_BASE.',
      ],
      '429': [
        () => at.shop.faults.answer('*', 429, onceMore),
        'Stripe answers 429 where Subscriptions are read: try again later.',
      ],
      '500': [
        () => at.shop.faults.answer('*', 500, onceMore),
        'Stripe answers 500 where Subscriptions are read: try again later.',
      ],
      nothing: [
        () => at.shop.faults.cut('*', onceMore),
        'Stripe does not answer: check the network and STRIPE_API_BASE, and try again.',
      ],
    };
    for (const [answer, [fail, line]] of Object.entries(answers)) {
      it(`says what to do where Stripe answers ${answer}`, async () => {
        fail();
        expect((await run('stripe check')).stdout).to.equal(`${line}\n${nothingWaits}\n`);
      });
    }

    it('says that another server answers', async () => {
      const other = createServer((_request, response) => response.writeHead(404).end('<html></html>'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = other.address() as AddressInfo;
        const { stdout } = await run('stripe check', at.shop.apiKey, ['whsec_1'], `http://127.0.0.1:${port}`);
        expect(stdout).to.equal(`What answers is not Stripe: check STRIPE_API_BASE.\n${nothingWaits}\n`);
      } finally {
        other.close();
      }
    });

    it('says why the endpoint and the prices could not be read', async () => {
      at.shop.faults.answer('GET /v1/webhook_endpoints', 404);
      at.shop.faults.answer('GET /v1/prices', 500, onceMore);
      expect((await run('stripe check')).stdout.split('\n').slice(1, 3)).to.deep.equal([
        'The endpoint could not be read. Stripe answers 404 where Webhook Endpoints are read: check STRIPE_API_BASE.',
        'The prices could not be read. Stripe answers 500 where Prices are read: try again later.',
      ]);
      const key = at.shop.restrictedKey({
        subscription: 'write',
        checkout_session: 'read',
        invoice: 'read',
        payment_intent: 'read',
        dispute: 'read',
        event: 'read',
      });
      expect((await run('stripe check', key)).stdout).to.include(
        'The prices could not be read. The key may not read Prices: give it the permission at Stripe.',
      );
    });
  });

  describe('backfill', () => {
    it('grants what has access and is unknown, once, and creates the file of the keys', async () => {
      const { subscription } = await at.shop.subscribe({ price: 'price_pro' });
      const purchase = await at.shop.purchase({ price: 'price_once' });
      const { subscription: ended } = await at.shop.subscribe({ price: 'price_pro' });
      await at.shop.end(ended);
      const known = await at.subscribe();
      const first = await json('stripe backfill --keys keys.jsonl');
      expect(first).to.deep.include({ exitCode: 0 });
      expect(first.value).to.include({ granted: 2, failed: 0 });
      expect(cli.files.has('keys.jsonl')).to.equal(true);
      expect((await json('stripe backfill')).value).to.include({ granted: 0, failed: 0 });
      for (const id of [subscription, purchase]) {
        expect(await at.operations(id)).to.deep.equal(['granted by command:test']);
      }
      expect(await at.operations(known)).to.deep.equal(['granted']);
      expect(await at.find(ended)).to.equal(null);
    });

    it('attributes what it grants', async () => {
      await store().affiliates.replace(null, anAffiliate(), aCall());
      await store().promotions.replace(null, aPromotion({ productId: 'sketchpad' }), aCall());
      const { subscription } = await at.shop.subscribe({ price: 'price_pro', reference: 'via_ada' });
      await run('stripe backfill');
      expect(await store().sales.find(subscription, aCall())).to.include({ handle: 'ada', by: 'link' });
    });

    it('counts the sales that could not be granted in words that fit one as well', async () => {
      await at.shop.subscribe({ price: 'price_pro' });
      at.shop.faults.answer('GET /v1/subscriptions/:id', 500, { times: 2 });
      expect((await run('stripe backfill')).stderr).to.include('1 sale could not be granted: run it again.');
    });

    it('keeps no file where it fails', async () => {
      at.shop.expireKey();
      expect((await run('stripe backfill --keys keys.jsonl')).exitCode).to.equal(1);
      expect(cli.files.size).to.equal(0);
    });
  });

  it('asks nothing without a key', async () => {
    for (const command of ['check', 'reconcile', 'backfill']) {
      const { exitCode, stderr } = await new TestCommandLine().run(['stripe', command, '--json']);
      expect([exitCode, JSON.parse(stderr).code]).to.deep.equal([1, 'stripe_not_configured']);
    }
  });
});
