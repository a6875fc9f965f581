import type { Administration } from '../../../../../core/administration/administration.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { SeenCommand } from '../../../../../core/purchase/change-seen.ts';
import { mono } from '../../display/parts.ts';
import { shownOncePage } from '../../display/shown-once.ts';
import { seenVersion } from '../../form/seen.ts';
import type { ConsoleAnswer, ConsoleRequest, ConsoleRoute } from '../../frame/console-page.ts';
import type { ConsoleParts } from '../../frame/console-parts.ts';
import { ownFormRoutes } from '../../frame/form-routes.ts';
import { crumbsTo, entitlementPath } from '../../state/names.ts';
import type { AskedAction } from '../actions/action.ts';
import { actions, changes, type Change } from '../actions/actions.ts';
import { actionSteps, type ActionParts } from './action-steps.ts';
import { unlessManaged } from './managed-page.ts';
import { showChanged } from './stale-answer.ts';

export interface ChangeParts extends ActionParts {
  readonly administration: ActionParts['administration'] & Pick<Administration, 'changeSeen'>;
  readonly stripePage: ConsoleParts['stripePage'];
}

/** The pages of the changes of an entitlement and of its license: first one that asks, then the change. */
export function changeRoutes(parts: ChangeParts): readonly ConsoleRoute[] {
  return changes.flatMap((action) => routesOf(action, parts).map((route) => unlessManaged(action, route, parts)));
}

function routesOf(action: Change, parts: ChangeParts): readonly ConsoleRoute[] {
  const steps = actionSteps(action, parts);
  const { administration } = parts;
  const { operation, form: ownForm }: AskedAction = actions[action];
  const answerRepeated = (request: ConsoleRequest, isUnknownTier = false): Promise<ConsoleAnswer> => {
    const answer = () => answerMade(action, request.parameters['id'] ?? '', null, isUnknownTier);
    return showChanged(action, request, administration, operation === undefined ? {} : { [operation]: answer });
  };
  return ownFormRoutes<FullSnapshot, SeenCommand>({
    ...steps,
    // A change without a form has no member but its kind.
    read: (form, entitlement) =>
      ownForm?.read?.(form, entitlement) ?? { kind: 'read', values: { kind: action } as SeenCommand },
    compared: {
      ...steps.compared,
      answer: (request, _entitlement, command) =>
        command?.kind === 'rotate-license' && command.licenseKey === null
          ? answerRepeated(request)
          : showChanged(action, request, administration),
    },
    // The write compares the versions, and knows whether the requested state is already there.
    isDone: () => true,
    act: async (command, { id }, request) => {
      const { call, form } = request;
      const version = seenVersion(form);
      const answer = await administration.changeSeen({ id, version, command }, call);
      const { snapshot, versionBefore, licenseKey } = answer;
      const isUnknownTier = answer.isUnknownTier === true;
      if (snapshot.version !== versionBefore) return answerMade(action, id, licenseKey, isUnknownTier);
      return snapshot.version === version ? leadTo(id, 'nothing') : answerRepeated(request, isUnknownTier);
    },
  });
}

/** The answer after a change: the entitlement with a line about the change, or the key, which only this answer has. */
function answerMade(action: Change, id: string, licenseKey: string | null, isUnknownTier: boolean): ConsoleAnswer {
  return action === 'rotate-license'
    ? { kind: 'page', entitlementId: id, ...rotatedPage(id, licenseKey) }
    : leadTo(id, isUnknownTier ? 'undeclared' : action);
}

/** Leads to the page of an entitlement, which shows a line about the change. */
export function leadTo(
  entitlementId: string,
  done: Change | 'mail-key' | 'mail-link' | 'extend' | 'shortened' | 'undeclared' | 'nothing',
): ConsoleAnswer {
  return { kind: 'redirect', location: `${entitlementPath(entitlementId)}?done=${done}`, entitlementId };
}

function rotatedPage(id: string, licenseKey: string | null): ReturnType<typeof shownOncePage> {
  const path = entitlementPath(id);
  return shownOncePage({
    path: crumbsTo(id),
    here: actions['rotate-license'].title,
    heading: licenseKey === null ? 'The license was rotated' : 'The new license key is ready',
    label: 'License key',
    secret: licenseKey,
    advice:
      'Give it to the buyer: the old key is unknown from now on. Only a digest is stored. If it is lost, rotate it.',
    facts: [['Entitlement', mono(id)]],
    back: path,
  });
}
