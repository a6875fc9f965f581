import type { FindPurchase } from '../../../../core/purchase/find-purchase.ts';
import { maxFindLength } from '../display/view.ts';
import { goTo, shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { consolePath } from '../frame/navigation.ts';
import { nothingFoundPage, severalFoundPage, signUpFoundPage } from './find-page.ts';

const path = `${consolePath}/find`;

/** The field *Find*. What is typed comes in a form, so that no address, referrer or log has it. */
export function findRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    {
      id: 'find',
      method: 'POST',
      path,
      access: 'admin:read',
      handle: (request) => find(administration.findPurchase, request),
    },
    // Somebody who reloads the answer to a form, or signs in again, comes here.
    { id: 'showFind', method: 'GET', path, access: 'admin:read', handle: async () => goTo(consolePath) },
  ];
}

async function find(findPurchase: FindPurchase, { form, view, call }: ConsoleRequest): Promise<ConsoleAnswer> {
  const what = form.get('what') ?? '';
  if (what.length > maxFindLength) return shown(nothingFoundPage('other', view));
  const found = await findPurchase(what, view.may('admin:waitlist'), call);
  switch (found.kind) {
    case 'entitlement':
      return goTo(`${consolePath}/entitlements/${found.id}`);
    case 'several':
      return shown(severalFoundPage(found.entitlements));
    case 'sign-up':
      return shown(signUpFoundPage(found.signUp));
    case 'nothing':
      return shown(nothingFoundPage(found.form, view));
  }
}
