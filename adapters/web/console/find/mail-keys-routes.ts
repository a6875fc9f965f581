import { Refusal } from '../../../../core/refusal.ts';
import { goTo, shown, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { twoSteps } from '../frame/form-routes.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { mailKeysPage } from './mail-keys-page.ts';

/** Milliseconds that Stripe is waited for besides the store. */
const stripeTime = 8000;

/** The pages that mail the buyer of a sale what `/license/lost` mails; none on a server that does not. */
export function mailKeysRoutes({ administration, lostKeys, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  if (lostKeys.kind !== 'page') return [];
  const ask = async ({ call, parameters: { id = '' }, view }: ConsoleRequest) => {
    const purchase = await administration.showPurchase(id, call);
    if (!purchase.isSoldByStripe) throw new Refusal('not_sold_by_stripe');
    return shown(mailKeysPage(purchase, newIds.newMailId(), view));
  };
  return twoSteps({
    name: 'MailKeys',
    path: `${listPath}/:id/mail-keys`,
    access: 'admin:entitlements',
    extraTime: stripeTime,
    ask,
    answer: async ({ call, form, parameters: { id = '' } }) => {
      await administration.mailKeys({ entitlementId: id, id: mailIdIn(form) }, call);
      return goTo(entitlementPath(id), 'mailed');
    },
  });
}

/** Reads the id of the mail that the page of the form has made. Refuses with `invalid_parameter`. */
function mailIdIn(form: URLSearchParams): string {
  const id = form.get('id') ?? '';
  if (/^[0-9a-f]{16}$/.test(id)) return id;
  throw new Refusal('invalid_parameter', { message: 'id must be the one that the page has made.' });
}
