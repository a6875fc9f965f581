import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import { aCall } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import type { ServiceOptions } from '../../../support/http/test-service.ts';
import { stores } from '../../../support/stores/stores.ts';

const grant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const refused = [
  409,
  'changed_meanwhile',
  'Others kept changing the entitlement; nothing was done. Repeat the request.',
];

/** Every change of an entitlement, and what must have happened before. */
const changes: readonly (readonly [operation: string, before: string | null, body?: object])[] = [
  ['renew', null, { currentPeriodEnd: '2099-01-01T00:00:00Z' }],
  ['change-tier', null, { tierId: 'team', tierName: 'Team' }],
  ['past-due', null],
  ['suspend', null],
  ['reinstate', 'suspend'],
  ['revoke', null],
  ['cancel', null],
  ['resume', 'cancel'],
  ['license/rotate', null],
  ['license/revoke', null],
];

for (const store of stores) {
  describe(`an entitlement that others keep changing on ${store.name}`, () => {
    const rivals = { areActive: false, changes: 0 };
    const admin = freshAdmin(store, { rebind: outrun(rivals) });

    it('is not changed by a request that comes too late each time until its deadline', async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      for (const [index, [operation, before, body]] of changes.entries()) {
        const path = `/admin/entitlements/ent_${index}`;
        await admin().put(path, grant);
        if (before !== null) await admin().post(`${path}/${before}`);
        const { version } = dataOf(await admin().get(path)) as { readonly version: number };
        const logged = admin().changes.length;
        Object.assign(rivals, { areActive: true, changes: 0 });
        expect(outcomeOf(await admin().post(`${path}/${operation}`, body)), operation).to.deep.equal(refused);
        rivals.areActive = false;
        expect(rivals.changes, operation).to.equal(3);
        const after = dataOf(await admin().get(path));
        expect(after, operation).to.deep.include({ tierId: 'tier_3', version: version + 3 });
        expect(admin().changes.length, operation).to.equal(logged);
        expect((await admin().post(`${path}/${operation}`, body)).status, operation).to.equal(200);
      }
    });
  });
}

/** Lets a rival change the entitlement before each change of a request, whose time is up after the third. */
function outrun(rivals: { readonly areActive: boolean; changes: number }): NonNullable<ServiceOptions['rebind']> {
  return (container) => {
    const real = container.get<AllEntitlements>(tokens.allEntitlements);
    const { runEntitlementCommand } = administrationOf(portsIn(container), nodePlatform);
    const change: AllEntitlements['change'] = async (...parameters) => {
      if (!rivals.areActive) return real.change(...parameters);
      rivals.changes += 1;
      const tier = { tierId: `tier_${rivals.changes}`, tierName: 'Rival' };
      const terms = { ...tier, billingInterval: null, currentPeriodEnd: null, grace: null };
      await runEntitlementCommand(parameters[0].id, { kind: 'change-tier', ...terms }, aCall());
      const outcome = await real.change(...parameters);
      const call: Call = parameters[parameters.length - 1] as Call;
      if (rivals.changes === 3) Object.assign(call.deadline, { remaining: () => 0 });
      return outcome;
    };
    const wrapped = new Proxy(real, {
      get: (target, property) => {
        const member: unknown = property === 'change' ? change : Reflect.get(target, property, target);
        return typeof member === 'function' && property !== 'change' ? member.bind(target) : member;
      },
    });
    container.rebind(tokens.allEntitlements).toConstantValue(wrapped);
  };
}
