import { cursorBehind, writeCursor } from '../../../../core/feed/feed-cursor.ts';
import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { countOf } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { hostOf, mono, written } from '../display/parts.ts';
import { hidden, type PageContent, type PageView } from '../display/view.ts';
import { goTo, shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { backTo, pathTo, skipMembers } from './webhook-forms.ts';
import { webhookPath } from './webhook-list-page.ts';

/** *Skip events*: a form, a page that says how many they are, and the change. */
export function skipRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { findEvents, showWebhookBacklog, skipWebhookEvents } = administration;
  return formRoutes({
    name: 'SkipEvents',
    path: webhookPath(':id', 'skip'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => showWebhookBacklog(id, call),
    asks: ({ endpoint: { id }, streams }) => ({
      path: pathTo(id),
      here: 'Skip events',
      title: 'Skip events',
      text: html`For events that the receiver can never handle or no longer needs. You see how many they are before
      anything is changed.`,
      members: skipMembers(streams.map(({ stream }) => stream.productId)),
      button: 'Continue',
    }),
    back: ({ endpoint: { id } }) => backTo(id),
    members: skipMembers([]),
    act: async ({ productId, entitlementId = null, to }, known, { call, view }) => {
      const { id } = known.endpoint;
      if (to !== undefined) {
        const { changed } = await skipWebhookEvents({ id, productId, to, entitlementId }, call);
        return goTo(webhookPath(id), changed ? 'skip' : 'nothing');
      }
      const everything = { productId, type: null, entitlementId: null };
      const [last] = (await findEvents(everything, { after: null, limit: 1 }, call)).items;
      if (last === undefined) return goTo(webhookPath(id), 'nothing');
      return shown(skipQuestion(view, known, { productId, entitlementId, to: writeCursor(cursorBehind(last)) }));
    },
  });
}

interface SkipChoice {
  readonly productId: string;
  readonly entitlementId: string | null;
  readonly to: string;
}

function skipQuestion(view: PageView, { endpoint, streams }: WebhookBacklog, choice: SkipChoice): PageContent {
  const { productId, entitlementId, to } = choice;
  const { id } = endpoint;
  const own = streams.find(({ stream }) => stream.productId === productId);
  const pending = entitlementId === null ? null : (own?.stream.pending.get(entitlementId)?.positions.length ?? 0);
  const count = pending ?? (own?.waiting ?? 0) + (own?.parked ?? 0);
  return confirmationPage(view, {
    path: pathTo(id),
    here: 'Skip events',
    question: `Skip ${countOf(count, 'event')}?`,
    effects: {
      heading: 'This cannot be undone here.',
      isFinal: true,
      list: [html`${written(hostOf(endpoint))} never gets these events, unless a replay sends them.`],
    },
    facts: [
      ['Product', mono(productId)],
      ['Entitlement', entitlementId === null ? 'Every one' : mono(entitlementId)],
      ['Up to', mono(to)],
    ],
    milder: html`Only want to try again? <a href="${webhookPath(id, 'retry')}">Retry now</a> instead.`,
    action: webhookPath(id, 'skip'),
    fields: html`${hidden('productId', productId)}${hidden('to', to)}${hidden('entitlementId', entitlementId ?? '')}`,
    button: 'Skip events',
    back: { href: webhookPath(id), text: 'Keep them' },
  });
}
