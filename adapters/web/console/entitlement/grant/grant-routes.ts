import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Snapshot } from '../../../../../core/entitlement/snapshot.ts';
import type { NewId } from '../../../../../core/identifier.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { mono } from '../../display/parts.ts';
import { shownOncePage } from '../../display/shown-once.ts';
import type { PageContent } from '../../display/view.ts';
import type { Mistakes } from '../../form/fields.ts';
import { proposed, refusedField, typedIn } from '../../form/form-reading.ts';
import {
  shown,
  wrongForm,
  type ConsoleAnswer,
  type ConsoleRequest,
  type ConsoleRoute,
} from '../../frame/console-page.ts';
import { twoSteps } from '../../frame/form-routes.ts';
import { offeredProducts } from '../../products/product-choices.ts';
import { refusedMembers } from '../change/change-fields.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { tierElement } from '../state/terms.ts';
import { grantFields, readGrant } from './grant-form.ts';
import { grantPage } from './grant-page.ts';

export type GrantActions = Pick<Administration, 'everyProduct' | 'putEntitlement'>;

/** The pages that grant an entitlement. */
export function grantRoutes(actions: GrantActions, newId: NewId): readonly ConsoleRoute[] {
  return twoSteps({
    name: 'GrantEntitlement',
    path: `${listPath}/grant`,
    access: 'admin:entitlements',
    ask: async ({ call, view }) => shown(grantPage(newId(), await offeredProducts(actions, call), newGrant, view)),
    answer: (request) => answerGrant(request, actions),
  });
}

/** Most of what is sold is billed by the month. */
const newGrant = proposed({ billingInterval: 'month' });

async function answerGrant(request: ConsoleRequest, actions: GrantActions): Promise<ConsoleAnswer> {
  const { call, form } = request;
  const reading = readGrant(form);
  if (reading.kind === 'wrong') return askAgain(reading.mistakes, request, actions);
  const { id, licenseKey = null, ...terms } = reading.values;
  try {
    const granted = await actions.putEntitlement({ id, written: terms, licenseKey }, call);
    return { kind: 'page', entitlementId: id, ...grantedPage(granted.entitlement, granted.licenseKey) };
  } catch (error) {
    return askAgain(refusedField(error, refusedMembers(error), grantFields([])), request, actions);
  }
}

async function askAgain(mistakes: Mistakes, request: ConsoleRequest, actions: GrantActions): Promise<ConsoleAnswer> {
  if (mistakes.has('id')) {
    throw new Refusal('invalid_parameter', { message: 'id must be the one that the page has shown.' });
  }
  const products = await offeredProducts(actions, request.call);
  const page = grantPage(request.form.get('id') ?? '', products, typedIn(request.form, mistakes), request.view);
  return wrongForm(page);
}

function grantedPage(entitlement: Snapshot, licenseKey: string | null): PageContent {
  const { id, productId } = entitlement;
  return shownOncePage({
    path: [{ href: listPath, text: 'Entitlements' }],
    here: 'Granted',
    heading: licenseKey === null ? 'The entitlement was granted' : 'The license key is ready',
    label: 'License key',
    secret: licenseKey,
    advice: 'Give it to the buyer. Only a digest is stored. If it is lost, rotate it.',
    facts: [
      ['Entitlement', mono(id)],
      ['Product', mono(productId)],
      ['Tier', tierElement(entitlement)],
    ],
    more: null,
    back: entitlementPath(id),
  });
}
