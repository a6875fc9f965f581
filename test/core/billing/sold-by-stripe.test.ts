import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { stripesChanges } from '../../../core/billing/sold-by-stripe.ts';
import type { EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, day, later } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { aMapping } from '../../support/stripe/states.ts';
import { refusalOf } from '../../support/thrown.ts';

const written = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;
const noTerms = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };
const tier = { tierId: 'team', tierName: 'Team', ...noTerms };

const commands: readonly EntitlementCommand[] = [
  { kind: 'past-due' },
  { kind: 'change-tier', ...tier },
  { kind: 'renew', currentPeriodEnd: later(90 * day), grace: day },
  { kind: 'allow', deviceLimit: 5 },
  { kind: 'cancel' },
  { kind: 'resume' },
  { kind: 'suspend' },
  { kind: 'reinstate' },
  { kind: 'revoke' },
];

/** The codes with which the commands are refused one after the other; null for those that are not. */
const outcomes = (id: string, run: (command: EntitlementCommand) => Promise<unknown>) =>
  Array.fromAsync(commands, async (command) => {
    try {
      await run(command);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return [id, error.code];
      throw error;
    }
  });

describe('what Stripe decides', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  beforeEach(async () => {
    await administration().addProduct('prod_1', 'One', aCall());
    for (const id of ['sub_1', 'subscription', 'ent_1']) {
      await administration().putEntitlement({ id, written, licenseKey: null }, aCall());
    }
  });

  it('is refused, and changes nothing, for a subscription of Stripe once a price is mapped', async () => {
    const { mapPrice, runEntitlementCommand, showHistory } = administration();
    await mapPrice(aMapping(), aCall());
    const run = (command: EntitlementCommand) => runEntitlementCommand('sub_1', command, aCall());
    const refused = ['sub_1', 'managed_by_stripe'];
    expect(await outcomes('sub_1', run)).to.deep.equal([refused, refused, refused, null, null, null, null, null, null]);
    const operations = (await showHistory('sub_1', aCall())).map(({ operation }) => operation);
    const expected = [
      'revoked',
      'reinstated',
      'suspended',
      'cancellation_undone',
      'cancellation_scheduled',
      'allowance_changed',
      'granted',
    ];
    expect(operations).to.deep.equal(expected);
  });

  it('is refused for a version that was seen, whichever it is', async () => {
    const { changeSeen, mapPrice, showEntitlement } = administration();
    await mapPrice(aMapping(), aCall());
    for (const command of commands.slice(0, stripesChanges.length)) {
      for (const version of [1, 2]) {
        const { code } = await refusalOf(changeSeen({ id: 'sub_1', version, command }, aCall()));
        expect([command.kind, code]).to.deep.equal([command.kind, 'managed_by_stripe']);
      }
    }
    expect((await showEntitlement('sub_1', aCall())).version).to.equal(1);
  });

  it('is allowed without a mapped price, and for every other id', async () => {
    const { mapPrice, unmapPrice, runEntitlementCommand, showPurchase } = administration();
    const run = (id: string) =>
      outcomes(id, (command) => runEntitlementCommand(id, command, aCall({ now: later(1000) })));
    await mapPrice(aMapping(), aCall());
    expect(await run('subscription')).to.deep.equal(commands.map(() => null));
    expect(await run('ent_1')).to.deep.equal(commands.map(() => null));
    expect((await showPurchase('ent_1', aCall())).isSoldByStripe).to.equal(false);
    await unmapPrice('price_1', aCall());
    expect((await showPurchase('sub_1', aCall())).isSoldByStripe).to.equal(false);
    expect(await run('sub_1')).to.deep.equal(commands.map(() => null));
  });

  it('is not offered, and what an operator may do is', async () => {
    const { mapPrice, putEntitlement, showPurchase } = administration();
    const bought = { ...written, billingInterval: 'one_time' } as const;
    await putEntitlement({ id: 'cs_1', written: bought, licenseKey: null }, aCall());
    await mapPrice(aMapping(), aCall());
    const shown = await showPurchase('sub_1', aCall());
    expect([shown.isSoldByStripe, shown.changes]).to.deep.equal([true, ['allow', 'cancel', 'suspend', 'revoke']]);
    const purchase = await showPurchase('cs_1', aCall());
    expect([purchase.isSoldByStripe, purchase.changes]).to.deep.equal([
      true,
      ['change-tier', 'allow', 'suspend', 'revoke'],
    ]);
  });

  it('includes the limit of devices where a price of its tier has one, and of no other tier nor purchase', async () => {
    const { changeSeen, mapPrice, putEntitlement, runEntitlementCommand, showPurchase } = administration();
    await mapPrice(aMapping({ price: 'price_2', tierId: 'team', deviceLimit: 3 }), aCall());
    const allow = { kind: 'allow', deviceLimit: 5 } as const;
    for (const id of ['sub_1', 'ent_1']) {
      expect((await runEntitlementCommand(id, allow, aCall())).snapshot.deviceLimit).to.equal(5);
    }
    const team = { ...written, tierId: 'team', tierName: 'Team' };
    await putEntitlement({ id: 'sub_2', written: team, licenseKey: null }, aCall());
    await putEntitlement({ id: 'cs_2', written: { ...team, billingInterval: 'one_time' }, licenseKey: null }, aCall());
    for (const refused of [
      runEntitlementCommand('sub_2', allow, aCall()),
      changeSeen({ id: 'sub_2', version: 1, command: allow }, aCall()),
    ]) {
      expect((await refusalOf(refused)).code).to.equal('managed_by_stripe');
    }
    expect((await showPurchase('sub_2', aCall())).changes).to.deep.equal(['cancel', 'suspend', 'revoke']);
    expect((await runEntitlementCommand('cs_2', allow, aCall())).snapshot.deviceLimit).to.equal(5);
  });

  it('says first that there is no such entitlement', async () => {
    const { mapPrice, runEntitlementCommand } = administration();
    await mapPrice(aMapping(), aCall());
    const { code } = await refusalOf(runEntitlementCommand('sub_9', { kind: 'past-due' }, aCall()));
    expect(code).to.equal('entitlement_not_found');
  });
});
