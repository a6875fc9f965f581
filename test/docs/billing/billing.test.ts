import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import { aCall, noon } from '../../support/builders.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { range } from '../../support/range.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { memory } from '../../support/stores/stores.ts';
import { startLossyProxy, type LossyProxy } from './cut-answers.ts';
import {
  filesOf,
  languages,
  WebhookHandler,
  type BillingEvent,
  type Mail,
  type RunningHandler,
} from './webhook-handler.ts';

const operatorKey = 'svc_op_live_of-the-billing-system';
const id = 'sub_1';
const pro = { tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const team = { tierId: 'team', tierName: 'Team', billingInterval: 'month' };
const firstEnd = '2026-08-18T12:00:00Z';
const secondEnd = '2026-09-18T12:00:00Z';

const created: BillingEvent = {
  type: 'created',
  subscription: { id, email: 'ada@example.com', productId: 'prod_1', ...pro, currentPeriodEnd: firstEnd },
};
const paid: BillingEvent = { type: 'paid', subscription: { id, currentPeriodEnd: secondEnd } };
const updated: BillingEvent = { type: 'updated', subscription: { id, ...team, currentPeriodEnd: secondEnd } };
const failed: BillingEvent = { type: 'payment_failed', subscription: { id } };
const suspended: BillingEvent = { type: 'suspended', subscription: { id } };
const reinstated: BillingEvent = { type: 'reinstated', subscription: { id } };
const canceled: BillingEvent = { type: 'canceled', subscription: { id } };
const resumed: BillingEvent = { type: 'resumed', subscription: { id } };
const deleted: BillingEvent = { type: 'deleted', subscription: { id } };

/** The state after each event, in the order in which they happen. */
const story: readonly (readonly [BillingEvent, version: number, state: readonly unknown[]])[] = [
  [created, 1, ['pro', 'active', 'none', firstEnd]],
  [paid, 2, ['pro', 'active', 'none', secondEnd]],
  [updated, 3, ['team', 'active', 'none', secondEnd]],
  [failed, 4, ['team', 'past_due', 'none', secondEnd]],
  [suspended, 5, ['team', 'past_due', 'suspended', secondEnd]],
  [reinstated, 6, ['team', 'past_due', 'none', secondEnd]],
  [canceled, 7, ['team', 'past_due', 'none', secondEnd, 'canceled']],
  [resumed, 8, ['team', 'past_due', 'none', secondEnd]],
  [deleted, 9, ['team', 'past_due', 'revoked', secondEnd]],
];

describe('docs/billing.md', () => {
  it('leads to handlers and sales of less than forty lines, and a file for each vendor', async () => {
    const names = ['gumroad', 'handler', 'lemonsqueezy', 'paddle', 'sale', 'vendor'];
    for (const language of Object.values(languages)) {
      const files = await filesOf(language);
      const extension = language.files.main.replace('main', '');
      expect([...files.keys()]).to.deep.equal(names.map((name) => `${name}${extension}`));
      for (const name of ['handler', 'sale']) {
        expect(files.get(`${name}${extension}`)?.split('\n').length, name).to.be.below(40);
      }
    }
  });

  it('names the events that the handlers know', async () => {
    const rows = (await readMarkdown('docs/billing.md')).table('type');
    expect(rows.map(([type = '', members = '']) => [type, members.split(', ')])).to.deep.equal(
      story.map(([{ type, subscription }]) => [type, Object.keys(subscription)]),
    );
  });
});

for (const [language, how] of Object.entries(languages)) {
  if (language === 'python' && isLeftOut('python')) continue;
  describe(`the webhook handler of examples/billing (${language})`, () => {
    const service = freshService(memory, { adminPort: 0 });
    let handler: WebhookHandler;
    let proxy: LossyProxy;
    let running: RunningHandler;

    before(async () => {
      handler = await WebhookHandler.copy(how);
      proxy = await startLossyProxy();
      running = startHandler();
    });
    after(async () => {
      await proxy.close();
      await handler.remove();
      await running.stop();
    });

    beforeEach(async () => {
      const scopes = ['admin:entitlements'] as const;
      await service().addOperatorKey(operatorKey, { scopes });
      const product = { id: 'prod_1', name: 'Sketchpad', createdAt: noon };
      await service().container.get(tokens.products).put(product, aCall());
      await handler.forget();
      proxy.to = service().adminUrl ?? '';
    });

    function startHandler(): RunningHandler {
      return handler.start({ ADMIN_URL: proxy.url, OPERATOR_KEY: operatorKey, LICENSE_SECRET: 'a random text' });
    }

    function deliver(...events: readonly BillingEvent[]): Promise<readonly number[]> {
      return running.deliver(...events);
    }

    it('does what each event says, each delivery twice', async () => {
      for (const [event, version, expected] of story) {
        expect(await deliver(event, event), event.type).to.deep.equal([200, 200]);
        expect(await state(), event.type).to.deep.equal([version, ...expected]);
      }
    });

    it('grants once if the event is delivered twenty times at once, by four processes', async () => {
      const others = range(3).map(startHandler);
      const all = await Promise.all([running, ...others].map((each) => each.deliver(...range(5).map(() => created))));
      for (const other of others) await other.stop();
      expect(all.flat()).to.deep.equal(range(20).map(() => 200));
      expect(await state()).to.deep.equal([1, 'pro', 'active', 'none', firstEnd]);
      const mails = await handler.mails();
      expect(await Promise.all(mails.map(opens))).to.deep.equal(mails.map(() => true));
    });

    it('takes effect once if the answer to any change was lost', async () => {
      await deliver(created);
      for (const [event, version, expected] of story.slice(1)) {
        proxy.lose = 1;
        expect(await deliver(event, event), event.type).to.deep.equal([how.tries > 1 ? 200 : 500, 200]);
        expect(await state(), event.type).to.deep.equal([version, ...expected]);
      }
    });

    it('is not harmed by a second delivery of everything', async () => {
      const events = story.map(([event]) => event);
      await deliver(...events);
      const before = await service().stored();
      expect(await deliver(...events)).to.deep.equal(events.map(() => 200));
      expect(await service().stored()).to.deep.equal(before);
    });

    it('sends a key that works, and every mail the same one', async () => {
      await deliver(created, created);
      const [first, ...others] = await handler.mails();
      expect(first?.email).to.equal('ada@example.com');
      expect(others.filter(({ key }) => key !== first?.key)).to.deep.equal([]);
      expect(await opens(first)).to.equal(true);
    });

    it('sends a key that works after the answer to the grant was lost', async () => {
      proxy.lose = how.tries;
      expect(await deliver(created)).to.deep.equal([500]);
      expect(await handler.mails()).to.deep.equal([]);
      expect(await deliver(created)).to.deep.equal([200]);
      const [mail, ...others] = await handler.mails();
      expect([await opens(mail), others]).to.deep.equal([true, []]);
      expect(await service().stored()).to.have.length(1);
    });

    it('has an event that overtook the grant delivered again', async () => {
      expect(await deliver(paid, created, paid)).to.deep.equal([500, 200, 200]);
      expect(await state()).to.deep.equal([2, 'pro', 'active', 'none', secondEnd]);
    });

    it('has events delivered again if its key is no longer accepted', async () => {
      await deliver(created);
      const [key] = await service().container.get(tokens.allOperatorKeys).page({ after: null, limit: 1 }, aCall());
      await service()
        .container.get(tokens.allOperatorKeys)
        .end(key?.id ?? '', { revokedAt: noon }, aCall());
      expect(await deliver(paid)).to.deep.equal([500]);
      expect(await state()).to.deep.equal([1, 'pro', 'active', 'none', firstEnd]);
    });

    it('ignores other events', async () => {
      expect(await deliver({ type: 'disputed', subscription: { id } })).to.deep.equal([200]);
      expect(await service().stored()).to.deep.equal([]);
    });

    async function state(): Promise<readonly unknown[]> {
      const [entitlement, ...others] = await service().stored();
      expect(others).to.deep.equal([]);
      if (entitlement?.kind !== 'subscription') return [];
      const { version, tierId, standing, hold, currentPeriodEnd, cancellation } = entitlement;
      const end = currentPeriodEnd.toISOString().replace('.000', '');
      return [version, tierId, standing, hold.kind, end, ...(cancellation === null ? [] : ['canceled'])];
    }

    async function opens(mail: Mail | undefined): Promise<unknown> {
      const { body } = await service().verify({ licenseKey: mail?.key });
      return (body as { readonly valid?: unknown }).valid;
    }
  });
}
