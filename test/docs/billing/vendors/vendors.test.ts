import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, noon } from '../../../support/builders.ts';
import { freePorts } from '../../../support/free-ports.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { isLeftOut } from '../../../support/run/left-out.ts';
import { memory } from '../../../support/stores/stores.ts';
import { languages, WebhookHandler, type RunningHandler } from '../webhook-handler.ts';
import { gumroad, gumroadKey } from './gumroad.ts';
import { lemonSqueezy } from './lemon-squeezy.ts';
import { paddle } from './paddle.ts';
import { startVendorApi, type VendorApi } from './vendor-api.ts';
import type { Step, TestedVendor } from './vendor.ts';

const vendors = [gumroad, lemonSqueezy, paddle];
const operatorKey = 'svc_op_live_of-the-billing-system';
/** That of every service of this file, so that a handler that runs meets each. */
const [adminPort = 0] = await freePorts(1);

/** Beside those of tiers.json: what is left out, and a variant. */
const tiers = {
  mug: null,
  '32-nPAicqbLj8B_WswVlMw== (Studio)': { productId: 'prod_1', tierId: 'studio', tierName: 'Studio' },
};

function firstStep(vendor: TestedVendor): Step {
  const [story] = vendor.stories;
  const [step] = story?.steps ?? [];
  if (step === undefined) throw new Error('there is no story');
  return step;
}

for (const [language, how] of Object.entries(languages)) {
  if (language === 'python' && isLeftOut('python')) continue;
  describe(`the handlers of vendors of examples/billing (${language})`, () => {
    const service = freshService(memory, { adminPort });
    let handler: WebhookHandler;
    let running: RunningHandler;
    let api: VendorApi;

    before(async () => {
      handler = await WebhookHandler.copy(how, tiers);
      api = await startVendorApi();
      running = handler.start({
        ADMIN_URL: `http://127.0.0.1:${adminPort}`,
        OPERATOR_KEY: operatorKey,
        LICENSE_SECRET: 'a random text',
        ...Object.assign({}, ...vendors.map((vendor) => vendor.environment(api.url))),
      });
    });
    after(async () => {
      await api.close();
      await handler.remove();
      await running.stop();
    });

    beforeEach(async () => {
      await service().addOperatorKey(operatorKey, { scopes: ['admin:entitlements'] });
      await service().container.get(tokens.products).put({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
      await handler.forget();
      api.answers.clear();
    });

    for (const vendor of vendors) {
      describe(`of ${vendor.name}`, () => {
        for (const { title, steps } of vendor.stories) {
          it(`follows ${title}`, async () => {
            for (const [index, step] of steps.entries()) {
              for (const [path, answer] of Object.entries(step.api)) api.answers.set(path, answer);
              expect(await running.deliver(step.delivery()), `step ${index}`).to.deep.equal([step.answer ?? 200]);
              const first = await state();
              expect(first.slice(1), `step ${index}`).to.deep.equal(step.state);
              expect(await running.deliver(step.delivery()), `step ${index} again`).to.deep.equal([step.answer ?? 200]);
              expect(await state(), `step ${index} again`).to.deep.equal(first);
            }
          });
        }

        it('has the buyer know a key that works', async () => {
          await take(firstStep(vendor));
          const mails = await handler.mails();
          const keys = vendor === gumroad ? [gumroadKey] : mails.map(({ key }) => key);
          expect(mails.map(({ email }) => email)).to.deep.equal(vendor === gumroad ? [] : ['ada@example.com']);
          const { body } = await service().verify({ licenseKey: keys[0] });
          expect(body).to.include({ valid: true });
        });

        it('resumes what the vendor charges for, although it was canceled here', async () => {
          const [first, second] = vendor.stories.find(({ title }) => title.includes('that is renewed'))?.steps ?? [];
          if (first === undefined || second === undefined) throw new Error('there is no renewal');
          await take(first);
          const [entitlement] = await service().stored();
          const canceled = await fetch(`${service().adminUrl}/admin/entitlements/${entitlement?.id}/cancel`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' },
            body: '{}',
          });
          expect(canceled.status).to.equal(200);
          await take(second);
          expect((await state()).slice(1)).to.deep.equal(second.state);
        });

        it('takes nothing from others', async () => {
          const step = firstStep(vendor);
          for (const [path, answer] of Object.entries(step.api)) api.answers.set(path, answer);
          const forged = vendor.forged(step);
          expect(await running.deliver(...forged)).to.deep.equal(forged.map(() => 401));
          expect(await service().stored()).to.deep.equal([]);
        });
      });
    }

    async function take(step: Step): Promise<void> {
      for (const [path, answer] of Object.entries(step.api)) api.answers.set(path, answer);
      expect(await running.deliver(step.delivery())).to.deep.equal([200]);
    }

    /** The version, and what a story says. */
    async function state(): Promise<readonly unknown[]> {
      const [entitlement, ...others] = await service().stored();
      expect(others).to.deep.equal([]);
      if (entitlement === undefined) return [0];
      const { version, tierId, hold } = entitlement;
      if (entitlement.kind === 'one_time') return [version, tierId, 'one_time', hold.kind, entitlement.accessEndsAt];
      const { standing, currentPeriodEnd, cancellation } = entitlement;
      const end = currentPeriodEnd.toISOString().replace('.000', '');
      return [version, tierId, standing, hold.kind, end, ...(cancellation === null ? [] : ['canceled'])];
    }
  });
}
