import type { Call } from '../../../../core/call.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import type { OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import { day, durationRule } from '../../../../core/parsing/duration.ts';
import { Refusal } from '../../../../core/refusal.ts';
import type { RotatedSecret } from '../../../../core/webhook/rotate-webhook-secret.ts';
import type { DeliveryOutcome } from '../../../../core/webhook/send-delivery.ts';
import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { html } from '../../markup/html.ts';
import { crumbs, mono, note, written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import { type PageContent, type PageView } from '../display/view.ts';
import { fieldElement, type Field, type FormState } from '../form/fields.ts';
import { proposed, readForm, typedIn } from '../form/form-reading.ts';
import { isStale, seenField } from '../form/seen.ts';
import { changedSince } from '../frame/changed-meanwhile.ts';
import { shown, wrongForm, type ConsoleAnswer, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { hostOf } from './endpoint-state.ts';
import { pathTo, webhookFormPage } from './webhook-forms.ts';
import { webhookPath } from './webhook-list-page.ts';
import { seenOf } from './webhook-state-routes.ts';

const access: OperatorScope = 'admin:access';

/** *Send test*. It changes nothing, and shows what the receiver has answered. */
export function webhookTestRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { showWebhook, testWebhook } = administration;
  const path = webhookPath(':id', 'test');
  return [
    {
      id: 'consoleTestWebhookForm',
      method: 'GET',
      path,
      access,
      handle: async ({ call, parameters: { id = '' }, view }) => {
        const { endpoint } = await showWebhook(id, call);
        const text = html`A message of the type ${mono('webhook.test')} goes to ${written(hostOf(endpoint))}, about no
        entitlement. The answer is shown here. Nothing is changed.`;
        const title = 'Send a test message?';
        return shown(
          webhookFormPage(view, id, { here: 'Test', title, text, change: 'test', fields: html``, button: 'Send test' }),
        );
      },
    },
    {
      id: 'consoleTestWebhook',
      method: 'POST',
      path,
      access,
      handle: async ({ call, parameters: { id = '' } }) => shown(answerPage(id, await testWebhook(id, call))),
    },
  ];
}

function answerPage(id: string, { kind, answer }: DeliveryOutcome): PageContent {
  const isDelivered = kind === 'delivered';
  const title = isDelivered ? 'The test message was accepted' : 'The test message was not accepted';
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(pathTo(id), 'Test')}
      <h1>${title}</h1>
      ${note(isDelivered ? 'ok' : 'bad', `The receiver: ${answer}`, isDelivered ? null : html`<p>Nothing else was changed.</p>`)}
      <div class="buttons"><a class="button primary" href="${webhookPath(id)}">Back to the endpoint</a></div>
    </div>`,
  };
}

/** *Rotate secret*. */
export function secretRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { rotateWebhookSecret, showWebhookBacklog } = administration;
  const path = webhookPath(':id', 'rotate-secret');
  return [
    {
      id: 'consoleRotateSecretForm',
      method: 'GET',
      path,
      access,
      handle: async ({ call, parameters: { id = '' }, view }) =>
        shown(rotatePage(view, await showWebhookBacklog(id, call), proposed({ overlap: `${defaultOverlap / day}d` }))),
    },
    {
      id: 'consoleRotateSecret',
      method: 'POST',
      path,
      access,
      handle: async ({ call, form, parameters: { id = '' }, view }) => {
        const known = await showWebhookBacklog(id, call);
        if (isStale(form, seenOf(known))) return staleRotation(form, known, call);
        const reading = readForm([overlapField], { overlap: durationRule }, ['overlap'], form);
        if (reading.kind === 'wrong') return wrongForm(rotatePage(view, known, typedIn(form, reading.mistakes)));
        const rotation = { id, overlap: reading.values.overlap, revision: known.endpoint.revision };
        try {
          return shown(rotatedPage(await rotateWebhookSecret(rotation, call)));
        } catch (cause) {
          if (!(cause instanceof Refusal) || cause.code !== 'changed_meanwhile') throw cause;
          return staleRotation(form, await showWebhookBacklog(id, call), call);
        }
      },
    },
  ];
}

function rotatedPage({ endpoint: { id, secrets }, secret }: RotatedSecret): PageContent {
  return shownOncePage({
    path: pathTo(id),
    here: 'Rotate secret',
    heading: 'The new secret is ready',
    label: 'Secret',
    secret,
    advice: 'Your server verifies deliveries with it. If you lose it, rotate it again.',
    facts: [
      ['Endpoint', mono(id)],
      ['Secrets', `${secrets.length} sign now`],
    ],
    more: null,
    back: webhookPath(id),
  });
}

function staleRotation(form: URLSearchParams, known: WebhookBacklog, call: Call): ConsoleAnswer {
  const { id } = known.endpoint;
  const intent = html`rotate the secret of ${mono(id)}. If this form was sent before, the answer to that has shown the
  secret, and it is not shown again.`;
  return changedSince(form, seenOf(known), { intent, back: webhookPath(id) }, call);
}

const overlapField: Field = {
  name: 'overlap',
  label: 'Overlap',
  hint: 'How long the old secret signs as well: a whole number with s, m, h or d. 0s ends it at once.',
  input: 'code',
  required: true,
};

function rotatePage(view: PageView, known: WebhookBacklog, state: FormState): PageContent {
  const text = html`A new secret is made and shown once. Deliveries are signed by both until the overlap ends, so that
  your server can learn the new one in between.`;
  return webhookFormPage(view, known.endpoint.id, {
    here: 'Rotate secret',
    title: 'Rotate the secret?',
    text,
    change: 'rotate-secret',
    fields: html`${seenField(seenOf(known))} ${fieldElement(overlapField, state)}`,
    button: 'Rotate secret',
  });
}
