import { isFarAhead } from '../../../../../core/entitlement/administration/extension.ts';
import { defaultGrace } from '../../../../../core/entitlement/entitlement-command.ts';
import type { SeenCommand } from '../../../../../core/purchase/change-seen.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { proposed } from '../../form/form-reading.ts';
import { seenVersion } from '../../form/seen.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../../frame/console-page.ts';
import { ownFormRoutes } from '../../frame/form-routes.ts';
import { listPath } from '../../state/names.ts';
import { actions, possibleActions } from '../actions/actions.ts';
import { leadTo, type ChangeParts } from '../change/change-routes.ts';
import { impossiblePage } from '../change/impossible-page.ts';
import { unlessManaged } from '../change/managed-page.ts';
import { showChanged } from '../change/stale-answer.ts';
import { extendFields, readExtension, type Extension } from './extend-form.ts';
import { extendPage, extendPath, presentEnd, secondLookPage, type SecondLook } from './extend-page.ts';

/** The pages that extend an entitlement, or end it earlier: one that asks, perhaps a second look, then the change. */
export function extendRoutes(parts: ChangeParts): readonly ConsoleRoute[] {
  return [
    {
      id: 'consoleRenewEntitlement',
      method: 'GET',
      path: `${listPath}/:id/renew`,
      access: 'admin:entitlements',
      handle: async ({ parameters: { id = '' } }) => ({
        kind: 'redirect',
        location: extendPath(id),
        entitlementId: id,
      }),
    },
    ...ownFormRoutes<Purchase, Extension>({
      name: actions.extend.page,
      path: `${listPath}/:id/extend`,
      access: 'admin:entitlements',
      find: ({ call, parameters: { id = '' } }) => parts.administration.showPurchase(id, call),
      ask: (request) => ask(request, parts),
      page: ({ view }, purchase, state) => extendPage(purchase, state, view),
      fields: () => extendFields,
      read: (form, purchase, { now }) => readExtension(form, purchase, now),
      refusals: () => ({
        period_end_too_early: { member: 'until', problem: 'must be later than now and than the start of the period' },
      }),
      compared: {
        isStale: (form, { entitlement }) => seenVersion(form) !== entitlement.version,
        answer: (request) => showChanged('extend', request, parts.administration),
      },
      // The write compares the versions, and knows whether the requested end is already there.
      isDone: () => true,
      act: (extension, purchase, request) => extend(extension, purchase, request, parts),
    }).map((route) => unlessManaged('extend', route, parts)),
  ];
}

async function ask(
  { call, parameters: { id = '' }, view }: ConsoleRequest,
  { administration }: ChangeParts,
): Promise<ConsoleAnswer> {
  const purchase = await administration.showPurchase(id, call);
  return possibleActions(purchase).includes('extend')
    ? shown(extendPage(purchase, proposed({}), view))
    : { kind: 'page', status: 409, ...impossiblePage('extend', purchase, call) };
}

async function extend(
  { end, isSure }: Extension,
  purchase: Purchase,
  request: ConsoleRequest,
  { administration }: ChangeParts,
): Promise<ConsoleAnswer> {
  const { call, form, view } = request;
  const { id } = purchase.entitlement;
  const version = seenVersion(form);
  const look = lookAt(end, purchase, call.now);
  const isCurrent = version === purchase.entitlement.version;
  if (look !== null && !isSure && isCurrent) return shown(secondLookPage(look, purchase, end, view));
  const command = commandOf(end, look, purchase);
  const { snapshot, versionBefore } = await administration.changeSeen({ id, version, command }, call);
  if (snapshot.version !== versionBefore) return leadTo(id, look === 'shorter' ? 'shortened' : 'extend');
  if (snapshot.version === version) return leadTo(id, 'nothing');
  return showChanged('extend', request, administration, {
    renewed: () => leadTo(id, 'extend'),
    tier_changed: () => leadTo(id, 'shortened'),
  });
}

/** Which end asks for a second look; null for one that does not. */
function lookAt(end: Date, { entitlement }: Purchase, now: Date): SecondLook | null {
  const present = presentEnd(entitlement);
  if (present !== null && end < present) return 'shorter';
  return isFarAhead(end, entitlement, now) ? 'far' : null;
}

/** An extension makes the present period longer. An earlier end is a change to the tier that there is. */
function commandOf(end: Date, look: SecondLook | null, { entitlement, grace }: Purchase): SeenCommand {
  const { tierId, tierName } = entitlement;
  if (look !== 'shorter') {
    return { kind: 'renew', currentPeriodEnd: end, keepStart: true, grace: grace ?? defaultGrace };
  }
  const kept = { billingInterval: null, billingIntervalCount: null, grace: null };
  return { kind: 'change-tier', tierId, tierName, ...kept, currentPeriodEnd: end };
}
