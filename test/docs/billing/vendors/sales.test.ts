import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import { anAffiliate, aPromotion, aVersion } from '../../../support/affiliates/builders.ts';
import { aCall, day, later, noon } from '../../../support/builders.ts';
import { freePorts } from '../../../support/free-ports.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { isLeftOut } from '../../../support/run/left-out.ts';
import { memory } from '../../../support/stores/stores.ts';
import { languages, WebhookHandler, type RunningHandler, type VendorDelivery } from '../webhook-handler.ts';
import { gumroadSales } from './gumroad-sales.ts';
import { gumroad } from './gumroad.ts';
import { lemonSqueezySales } from './lemon-squeezy-sales.ts';
import { lemonSqueezy } from './lemon-squeezy.ts';
import { paddleSales } from './paddle-sales.ts';
import { paddle } from './paddle.ts';
import { startVendorApi, type VendorApi } from './vendor-api.ts';
import type { Paid, SaleStep, SaleStories } from './vendor.ts';

const operatorKey = 'svc_op_live_of-the-billing-system';
/** That of every service of this file, so that a handler that runs meets each. */
const [adminPort = 0] = await freePorts(1);
const vendors = [
  [gumroad, gumroadSales],
  [lemonSqueezy, lemonSqueezySales],
  [paddle, paddleSales],
] as const;

for (const [language, how] of Object.entries(languages)) {
  if (language === 'python' && isLeftOut('python')) continue;
  describe(`the sales of affiliates (${language})`, () => {
    const service = freshService(memory, { adminPort });
    let handler: WebhookHandler;
    let api: VendorApi;
    let selling: RunningHandler;
    /** One that knows nothing of affiliates. */
    let plain: RunningHandler;

    before(async () => {
      handler = await WebhookHandler.copy(how);
      api = await startVendorApi();
      const environment = {
        ADMIN_URL: `http://127.0.0.1:${adminPort}`,
        OPERATOR_KEY: operatorKey,
        LICENSE_SECRET: 'a random text',
        ...Object.assign({}, ...vendors.map(([vendor]) => vendor.environment(api.url))),
      };
      plain = handler.start(environment);
      selling = handler.start({ ...environment, AFFILIATES: 'on' });
    });
    after(async () => {
      await api.close();
      await handler.remove();
      for (const running of [plain, selling]) await running.stop();
    });

    beforeEach(async () => {
      const { container } = service();
      await container.get(tokens.products).put({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
      await container.get(tokens.affiliates).replace(null, anAffiliate(), aCall());
      const terms = [aVersion({ from: later(-2 * day) })];
      for (const promotion of [aPromotion({ terms }), aPromotion({ slug: 'zebra' })]) {
        await container.get(tokens.promotions).replace(null, promotion, aCall());
      }
      await handler.forget();
      api.answers.clear();
      api.outdated.clear();
    });
    const mayPut = (): Promise<unknown> =>
      service().addOperatorKey(operatorKey, { scopes: ['admin:entitlements', 'admin:affiliates'] });

    for (const [vendor, storiesOf] of vendors) {
      describe(`at ${vendor.name}`, () => {
        for (const [index, { title, steps }] of storiesOf('ada_zebra').entries()) {
          it(`follow ${title}`, async () => {
            await mayPut();
            for (const [number, step] of steps.entries()) {
              for (const again of ['', ' again']) {
                expect(await take(step), `step ${number}${again}`).to.equal(200);
                expect(paidFor(await sale()), `step ${number}${again}`).to.deep.equal(wanted(step.paid));
              }
            }
            expect(await sale()).to.deep.include({ handle: 'ada', slug: 'zebra', currency: 'usd', by: 'put' });
            expect((await sale())?.attributedAt).to.deep.equal(later(-3_600_000));
          });

          it(`have all payments after the last delivery if those before are lost, of ${title}`, async () => {
            await mayPut();
            expect(await take(steps[0])).to.equal(200);
            setAnswers(steps);
            expect(await deliver(steps.at(-1)?.delivery())).to.equal(200);
            expect(paidFor(await sale())).to.deep.equal(wanted(steps.at(-1)?.paid));
          });

          it(`are none without an affiliate, and ask the vendor for nothing more, of ${title}`, async () => {
            await mayPut();
            const asked: (readonly string[])[] = [];
            for (const running of [plain, selling]) {
              api.asked.length = 0;
              for (const step of storiesOf(null)[index]?.steps ?? []) expect(await take(step, running)).to.equal(200);
              asked.push([...api.asked]);
            }
            expect(asked[1]).to.deep.equal(asked[0]);
            expect([await sale(), (await service().stored()).length]).to.deep.equal([null, 1]);
          });
        }

        it('are tried again if the key lacks the scope, and the buyer has the entitlement', async () => {
          await service().addOperatorKey(operatorKey, { scopes: ['admin:entitlements'] });
          expect([await take(stepsOf(storiesOf, 0)[0]), (await service().stored()).length]).to.deep.equal([500, 1]);
        });

        it('are read again after a change, because an older reading may have been put late', async () => {
          await mayPut();
          const steps = stepsOf(storiesOf, 0);
          const [first, older, last] = [steps[0], steps.at(-2), steps.at(-1)];
          for (const step of [first, last]) expect(await take(step)).to.equal(200);
          api.asked.length = 0;
          expect(await take(last, plain)).to.equal(200);
          for (const [path, answer] of Object.entries(older?.api ?? {})) {
            const before = api.asked.filter((asked) => asked === path).length;
            api.outdated.set(path, Array(before + 1).fill(answer));
          }
          expect(await take(last)).to.equal(200);
          const read = await sale();
          expect(paidFor(read)).to.deep.equal(wanted(last?.paid));
          expect(read?.revision).to.equal(4);
        });

        it('are the same after deliveries that are late and in another order', async () => {
          await mayPut();
          const steps = stepsOf(storiesOf, 1);
          setAnswers(steps);
          let open = steps.toReversed();
          while (open.length > 0) {
            const failed: SaleStep[] = [];
            for (const step of open) if ((await deliver(step.delivery())) !== 200) failed.push(step);
            expect(failed.length).to.be.below(open.length);
            open = failed;
          }
          expect(paidFor(await sale())).to.deep.equal(wanted(steps.at(-1)?.paid));
        });
      });
    }

    describe('at whichever vendor', () => {
      it('are none unless AFFILIATES is on, so that the key needs no other scope', async () => {
        await service().addOperatorKey(operatorKey, { scopes: ['admin:entitlements'] });
        expect([await take(stepsOf(gumroadSales, 0)[0], plain), await sale()]).to.deep.equal([200, null]);
      });

      it('are none of names that are no affiliate, whose buyers have the entitlement', async () => {
        await mayPut();
        for (const via of ['nobody_zebra', 'nobody', 'via', 'via_x', 'Ada Lovelace', `ada_${'z'.repeat(300)}`, '']) {
          expect(await take(stepsOf(gumroadSales, 0, via)[0]), via).to.equal(200);
        }
        expect([await sale(), (await service().stored()).length]).to.deep.equal([null, 1]);
      });

      it('are of the promotion that was agreed first, if the name has none of the product', async () => {
        await mayPut();
        for (const via of ['ada_mug', 'via_ada']) {
          expect(await take(stepsOf(gumroadSales, 0, via)[0])).to.equal(200);
          expect(await sale()).to.deep.include({ handle: 'ada', slug: 'sketchpad', revision: 1 });
        }
      });

      it('get their payments with the next delivery, if they are assigned', async () => {
        await mayPut();
        const { container } = service();
        await container.get(tokens.affiliates).replace(null, anAffiliate({ handle: 'bob' }), aCall());
        await container.get(tokens.promotions).replace(null, aPromotion({ handle: 'bob' }), aCall());
        const [first] = stepsOf(gumroadSales, 0, 'nobody');
        expect(await take(first)).to.equal(200);
        const [entitlement] = await service().stored();
        const assigned = await fetch(`${service().adminUrl}/admin/entitlements/${entitlement?.id}/sale/assign`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' },
          body: '{"handle":"bob"}',
        });
        expect(assigned.status).to.equal(200);
        expect(await take(stepsOf(gumroadSales, 0)[0])).to.equal(200);
        expect(await sale()).to.deep.include({ handle: 'bob', currency: 'usd' });
        expect(paidFor(await sale())).to.deep.equal(wanted(first?.paid));
      });
    });

    function setAnswers(steps: readonly SaleStep[]): void {
      for (const step of steps) {
        for (const [path, answer] of Object.entries(step.api)) api.answers.set(path, answer);
      }
    }

    /** Delivers what a step says, and returns the status. */
    async function take(step: SaleStep | undefined, running = selling): Promise<unknown> {
      if (step === undefined) throw new Error('there is no such step');
      setAnswers([step]);
      return deliver(step.delivery(), running);
    }

    async function deliver(delivery: VendorDelivery | undefined, running = selling): Promise<unknown> {
      if (delivery === undefined) throw new Error('there is no such delivery');
      const [status] = await running.deliver(delivery);
      return status;
    }

    async function sale(): Promise<Sale | null> {
      const filter = { productId: null, handle: null, currency: null };
      const found = await service()
        .container.get(tokens.sales)
        .page({ ...filter, after: null, limit: 2 }, aCall());
      expect(found.length).to.be.below(2);
      return found[0] ?? null;
    }
  });
}

/** The steps of one of a vendor's stories. */
function stepsOf(storiesOf: SaleStories, index: number, via = 'ada_zebra'): readonly SaleStep[] {
  return storiesOf(via)[index]?.steps ?? [];
}

/** The payments of a sale, the oldest first. */
function paidFor(sale: Sale | null): Sale['payments'] | null {
  return sale === null ? null : sale.payments;
}

function wanted(paid: readonly Paid[] | null | undefined): Sale['payments'] | null {
  return paid?.map((payment) => ({ ...payment, paidAt: new Date(payment.paidAt) })) ?? null;
}
