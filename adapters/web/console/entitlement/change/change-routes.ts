import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { mono } from '../../display/parts.ts';
import { shownOncePage } from '../../display/shown-once.ts';
import { operatorNames } from '../../events/actors.ts';
import type { Mistakes } from '../../form/fields.ts';
import { refusedField, typedIn } from '../../form/form-reading.ts';
import { seenVersion } from '../../form/seen.ts';
import {
  shown,
  wrongForm,
  type ConsoleAnswer,
  type ConsoleRequest,
  type ConsoleRoute,
} from '../../frame/console-page.ts';
import { twoSteps } from '../../frame/form-routes.ts';
import { actionNames, actions, possibleActions, type ActionName, type Change } from '../purchase/action-names.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { refusedMembers } from './change-fields.ts';
import { fieldsOf, firstForm, readCommand } from './change-forms.ts';
import { changePage } from './change-page.ts';
import { impossiblePage } from './impossible-page.ts';
import { staleAnswer } from './stale-answer.ts';

export type ChangeActions = Pick<
  Administration,
  'showEntitlement' | 'showPurchase' | 'changeSeen' | 'listOperatorKeys'
>;

/** The pages of the changes of an entitlement and of its license: first one that asks, then the change. */
export function changeRoutes(administration: ChangeActions): readonly ConsoleRoute[] {
  const changes = actionNames.filter((name) => name !== 'receipt');
  return changes.flatMap((action) =>
    actionRoutes(action, administration, (request) => answerChange(action, request, administration)),
  );
}

/** The page that asks before an action, and the answer to its form. */
export function actionRoutes(
  action: ActionName,
  { showPurchase }: Pick<ChangeActions, 'showPurchase'>,
  answer: ConsoleRoute['handle'],
): readonly ConsoleRoute[] {
  return twoSteps({
    name: actions[action].page,
    path: `${listPath}/:id/${action}`,
    access: 'admin:entitlements',
    ask: async (request) => {
      const purchase = await showPurchase(request.parameters['id'] ?? '', request.call);
      return (
        askAnswer(action, purchase, request) ??
        shown(changePage(action, purchase, firstForm(action, purchase), request.view))
      );
    },
    answer,
  });
}

/** The answer in place of the page of an action that is not possible; null for one that is. */
function askAnswer(action: ActionName, purchase: Purchase, { call }: ConsoleRequest): ConsoleAnswer | null {
  if (possibleActions(purchase, true).includes(action)) return null;
  return { kind: 'page', status: 409, ...impossiblePage(action, purchase, call) };
}

async function answerChange(action: Change, request: ConsoleRequest, parts: ChangeActions): Promise<ConsoleAnswer> {
  const { call, form, parameters } = request;
  const id = parameters['id'] ?? '';
  const version = seenVersion(form);
  const entitlement = await parts.showEntitlement(id, call);
  const again = async (mistakes: Mistakes) => askAgain(action, await parts.showPurchase(id, call), mistakes, request);
  const reading = readCommand(action, entitlement, form);
  if (reading.kind === 'wrong') return again(reading.mistakes);
  try {
    const { snapshot, versionBefore, licenseKey } = await parts.changeSeen(
      { id, version, command: reading.values },
      call,
    );
    if (snapshot.version !== versionBefore) return answerMade(action, id, licenseKey);
    return snapshot.version === version
      ? leadTo(id, 'nothing')
      : await answerStale(action, version, true, request, parts);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'changed_meanwhile') {
      const isRepeatable = reading.values.kind === 'rotate-license' && reading.values.licenseKey === null;
      return answerStale(action, version, isRepeatable, request, parts);
    }
    return again(refusedField(error, refusedMembers(error), fieldsOf(action, entitlement)));
  }
}

/** Shows a form again, with what was typed and what is wrong. */
export function askAgain(
  action: ActionName,
  purchase: Purchase,
  mistakes: Mistakes,
  request: ConsoleRequest,
): ConsoleAnswer {
  return wrongForm(changePage(action, purchase, typedIn(request.form, mistakes), request.view));
}

/** What follows a change: the entitlement with a line that says what was done, or the key, which only this answer has. */
function answerMade(action: Change, id: string, licenseKey: string | null): ConsoleAnswer {
  return action === 'rotate-license'
    ? { kind: 'page', entitlementId: id, ...rotatedPage(id, licenseKey) }
    : leadTo(id, action);
}

/**
 * Answers a form whose entitlement has changed since it was shown. A form that was sent twice is answered as the first
 * time, if it asks for what it has made already; any other change is shown.
 */
async function answerStale(
  action: Change,
  version: number,
  isRepeatable: boolean,
  request: ConsoleRequest,
  administration: ChangeActions,
): Promise<ConsoleAnswer> {
  const { call, parameters } = request;
  const id = parameters['id'] ?? '';
  const purchase = await administration.showPurchase(id, call);
  if (purchase.entitlement.version === version) throw new Refusal('changed_meanwhile');
  const own = purchase.timeline.find((happening) => happening.version === version + 1 && happening.by !== 'clock');
  if (isRepeatable && own?.by === call.by && own.operation === actions[action].operation)
    return answerMade(action, id, null);
  return answerChanged(action, version, purchase, request, administration);
}

/** Shows what was seen beside what is, and who has changed it. */
export async function answerChanged(
  action: ActionName,
  version: number,
  purchase: Purchase,
  request: ConsoleRequest,
  administration: Pick<Administration, 'listOperatorKeys'>,
): Promise<ConsoleAnswer> {
  const actors = purchase.timeline.map(({ by }) => by);
  const names = await operatorNames(administration, actors, request);
  return staleAnswer({ action, seenVersion: version, purchase }, names, request.call);
}

/** Leads to the page of an entitlement, which says what was done. */
function leadTo(entitlementId: string, done: Change | 'nothing'): ConsoleAnswer {
  return { kind: 'redirect', location: `${entitlementPath(entitlementId)}?done=${done}`, entitlementId };
}

function rotatedPage(id: string, licenseKey: string | null): ReturnType<typeof shownOncePage> {
  const path = entitlementPath(id);
  return shownOncePage({
    path: [
      { href: listPath, text: 'Entitlements' },
      { href: path, text: id },
    ],
    here: actions['rotate-license'].title,
    heading: licenseKey === null ? 'The license was rotated' : 'The new license key is ready',
    label: 'License key',
    secret: licenseKey,
    advice:
      'Give it to the buyer: the old key is unknown from now on. Only a digest is stored. If it is lost, rotate it.',
    facts: [['Entitlement', mono(id)]],
    more: null,
    back: path,
  });
}
