import { maxAddressLook } from '../../../../core/purchase/find-by-address.ts';
import { maxFindLength } from '../display/view.ts';
import { goTo, shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { twoSteps } from '../frame/form-routes.ts';
import { consolePath } from '../frame/navigation.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { trialPath } from '../trials/trial-paths.ts';
import { addressPage } from './address-page.ts';
import { nothingFoundPage, severalFoundPage, signUpFoundPage } from './find-page.ts';

/** The field *Find*. Its text comes in a form, so that no address, referrer or log has it. */
export function findRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return twoSteps({
    name: 'Find',
    path: `${consolePath}/find`,
    access: 'admin:read',
    extraTime: maxAddressLook,
    // Somebody who reloads the answer to a form, or signs in again, comes here.
    ask: async () => goTo(consolePath),
    answer: (request) => find(parts, request),
  });
}

async function find(parts: ConsoleParts, { form, view, call }: ConsoleRequest): Promise<ConsoleAnswer> {
  const what = form.get('what') ?? '';
  if (what.length > maxFindLength) return shown(nothingFoundPage('other', parts, view));
  const found = await parts.administration.findPurchase(what, view.may('admin:waitlist'), call);
  switch (found.kind) {
    case 'entitlement':
      return goTo(entitlementPath(found.id));
    case 'trial':
      return goTo(trialPath(found.id));
    case 'ends of keys':
      return goTo(`${listPath}?${new URLSearchParams({ lastFour: found.lastFour }).toString()}`);
    case 'address':
      return shown(addressPage(found, parts, view));
    case 'several':
      return shown(severalFoundPage(found.entitlements));
    case 'sign-up':
      return shown(signUpFoundPage(found.signUp));
    case 'nothing':
      return shown(nothingFoundPage(found.form, parts, view));
  }
}
