import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { mono } from '../../display/parts.ts';
import type { ConsoleAnswer, ConsoleRoute } from '../../frame/console-page.ts';
import type { ConsoleParts } from '../../frame/console-parts.ts';
import { actions, changeName, type ActionName } from '../purchase/action-names.ts';
import { entitlementPath } from '../state/names.ts';

const code = 'managed_by_stripe';

interface Texts {
  readonly heading: string;
  readonly says: string;
  /** What is done at Stripe instead. */
  readonly steps: readonly Html[];
}

const open = html`Open the subscription at Stripe, and choose <em>Update subscription</em>.`;

const ofPeriod: Texts = {
  heading: 'Stripe decides the period',
  says: `An extension here would be undone by the next event of Stripe. Give the days at Stripe, and they arrive here within
    seconds.`,
  steps: [
    open,
    html`Add <em>free trial days</em>, with <em>Prorate changes</em> off.`,
    html`Save. Stripe charges later, and the entitlement ends later.`,
  ],
};

const ofTier: Texts = {
  heading: 'Stripe decides the tier',
  says: `Another tier here would be undone by the next event of Stripe. Change the price at Stripe, and its tier arrives
    here within seconds.`,
  steps: [
    open,
    html`Replace the price by that of the other tier. It must be mapped: ${mono('latchkey stripe map list')} shows what
    is.`,
    html`Save. Stripe charges the new price, and the entitlement gets its tier.`,
  ],
};

const ofDevices: Texts = {
  heading: 'Stripe decides the number of devices',
  says: `Another limit here would be undone by the next event of Stripe. Change the quantity at Stripe, and its limit arrives
    here within seconds.`,
  steps: [
    open,
    html`Change the quantity of the price that sells the tier. ${mono('latchkey stripe map list')} shows how many
    devices each unit allows.`,
    html`Save. Stripe charges the new quantity, and the entitlement gets its limit.`,
  ],
};

const texts: Readonly<Partial<Record<ActionName, Texts>>> = {
  extend: ofPeriod,
  'change-tier': ofTier,
  allow: ofDevices,
};

interface ManagedParts {
  readonly administration: Pick<Administration, 'showPurchase'>;
  readonly stripePage: ConsoleParts['stripePage'];
}

/** Answers both steps of an action that Stripe decides on what it sells, and leaves every other to its own page. */
export function unlessManaged(action: ActionName, route: ConsoleRoute, parts: ManagedParts): ConsoleRoute {
  return {
    ...route,
    handle: async (request) => {
      const { call, parameters } = request;
      const { id = '' } = parameters;
      const isManaged = id.startsWith('sub_') && action in texts && (await isStripes(action, id, parts, call));
      return isManaged ? managedAnswer(action, id, parts.stripePage(id), call) : route.handle(request);
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

/** Nothing leads to this page but a typed address. It says how the change is made at Stripe. */
function managedAnswer(
  action: ActionName,
  id: string,
  stripeUrl: string,
  { correlationId }: Pick<Call, 'correlationId'>,
): ConsoleAnswer {
  const { heading, says, steps } = texts[action] ?? ofPeriod;
  return {
    kind: 'page',
    status: 409,
    error: code,
    entitlementId: id,
    title: `${actions[action].title} · ${id}`,
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
