import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import { html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { mono } from '../../display/parts.ts';
import type { ConsoleAnswer, ConsoleRoute } from '../../frame/console-page.ts';
import type { ConsoleParts } from '../../frame/console-parts.ts';
import { entitlementPath } from '../../state/names.ts';
import type { Action, ManagedTexts } from '../actions/action.ts';
import { actions, changeName, type ActionName } from '../actions/actions.ts';

const code = 'managed_by_stripe';

interface ManagedParts {
  readonly administration: Pick<Administration, 'showPurchase'>;
  readonly stripePage: ConsoleParts['stripePage'];
}

/**
 * Answers both steps of an action that Stripe decides for the subscriptions that it sells, and leaves every other to
 * its own page.
 */
export function unlessManaged(action: ActionName, route: ConsoleRoute, parts: ManagedParts): ConsoleRoute {
  const { title, managed }: Action = actions[action];
  if (managed === undefined) return route;
  return {
    ...route,
    handle: async (request) => {
      const { call, parameters } = request;
      const { id = '' } = parameters;
      const isManaged = id.startsWith('sub_') && (await isStripes(action, id, parts, call));
      return isManaged ? managedAnswer(title, managed, id, parts.stripePage(id), call) : route.handle(request);
    },
  };
}

async function isStripes(
  action: ActionName,
  id: string,
  { administration }: ManagedParts,
  call: Call,
): Promise<boolean> {
  const { stripesChanges } = await administration.showPurchase(id, call);
  return stripesChanges.some((kind) => changeName(kind) === action);
}

/** Says how the change is made at Stripe. */
function managedAnswer(
  action: string,
  { heading, says, steps }: ManagedTexts,
  id: string,
  stripeUrl: string,
  { correlationId }: Pick<Call, 'correlationId'>,
): ConsoleAnswer {
  return {
    kind: 'page',
    status: 409,
    error: code,
    entitlementId: id,
    title: `${action} · ${id}`,
    main: html`<div class="stop">
      <h1>${heading}</h1>
      <p>${says}</p>
      <ol class="steps">
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ol>
      <div class="buttons">
        <a class="button primary" href="${stripeUrl}" rel="noopener noreferrer">Open at Stripe${icon('away')}</a
        ><a class="button" href="${entitlementPath(id)}">Back to the entitlement</a>
      </div>
      <p class="code-line">Nothing was changed. 409 ${code} · ${mono(correlationId)}</p>
    </div>`,
  };
}
