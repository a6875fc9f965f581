import { expect } from 'chai';
import * as fc from 'fast-check';
import { allowedChanges, offeredChanges } from '../../../../core/entitlement/administration/allowed-changes.ts';
import { decideCommand, type EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import { aOneTimePurchase, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { entitlements, instants } from '../../../support/random-entitlements.ts';

const tier = {
  tierId: 'other',
  tierName: 'Other',
  billingInterval: null,
  billingIntervalCount: null,
  currentPeriodEnd: null,
  grace: null,
};
const commands: readonly EntitlementCommand[] = [
  { kind: 'renew', currentPeriodEnd: later(3650 * day), grace: day },
  { kind: 'change-tier', ...tier },
  { kind: 'allow', deviceLimit: 7 },
  { kind: 'allow', deviceLimit: null },
  { kind: 'cancel' },
  { kind: 'resume' },
  { kind: 'suspend' },
  { kind: 'reinstate' },
  { kind: 'revoke' },
];

describe('the changes that an administrator is offered', () => {
  it('are those that a command would make', () => {
    fc.assert(
      fc.property(entitlements, instants, (entitlement, now) => {
        const possible = commands.filter((command) => decideCommand(command, entitlement, now).kind === 'changed');
        const kinds = new Set<string>(possible.map(({ kind }) => kind));
        expect(allowedChanges(entitlement, now)).to.deep.equal(offeredChanges.filter((kind) => kinds.has(kind)));
      }),
    );
  });

  it('of a subscription that is active, canceled, suspended or revoked, and of a purchase', () => {
    const cancellation = { at: later(day), requestedAt: noon };
    const suspended = { hold: { kind: 'suspended' } } as const;
    const offered = [
      aSubscription(),
      aSubscription({ cancellation }),
      aSubscription(suspended),
      aSubscription({ hold: { kind: 'revoked', at: noon } }),
      aOneTimePurchase(),
      aOneTimePurchase(suspended),
    ].map((entitlement) => allowedChanges(entitlement, noon).join());
    expect(offered).to.deep.equal([
      'renew,change-tier,allow,cancel,suspend,revoke',
      'resume,change-tier,allow,suspend,revoke',
      'renew,reinstate,change-tier,allow,cancel,revoke',
      '',
      'change-tier,allow,suspend,revoke',
      'reinstate,change-tier,allow,revoke',
    ]);
  });
});
