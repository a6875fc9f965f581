import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { day } from '../../../../core/parsing/duration.ts';
import type { RotatedSecret } from '../../../../core/webhook/rotate-webhook-secret.ts';
import type { DeliveryOutcome } from '../../../../core/webhook/send-delivery.ts';
import { secretOverlap } from '../../../administration/commands/webhook/webhook-members.ts';
import { html } from '../../markup/html.ts';
import { crumbs, hostOf, mono, note, written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import type { PageContent } from '../display/view.ts';
import { must } from '../form/form-members.ts';
import { formPage } from '../form/form-page.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes, twoSteps } from '../frame/form-routes.ts';
import { backTo, pathTo } from './webhook-forms.ts';
import { webhookPath } from './webhook-list-page.ts';
import { seenOf } from './webhook-state-routes.ts';

/** *Send test*. It changes nothing, and shows the answer of the receiver. */
export function webhookTestRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { showWebhook, testWebhook } = administration;
  return twoSteps({
    name: 'TestWebhook',
    path: webhookPath(':id', 'test'),
    access: 'admin:access',
    ask: async ({ call, parameters: { id = '' }, view }) => {
      const { endpoint } = await showWebhook(id, call);
      const text = html`A message of the type ${mono('webhook.test')} goes to ${written(hostOf(endpoint))}, about no
      entitlement. The answer is shown here. Nothing is changed.`;
      return shown(
        formPage(view, {
          path: pathTo(id),
          here: 'Test',
          title: 'Send a test message?',
          text,
          action: webhookPath(id, 'test'),
          fields: html``,
          button: 'Send test',
          back: backTo(id),
        }),
      );
    },
    answer: async ({ call, parameters: { id = '' } }) => shown(answerPage(id, await testWebhook(id, call))),
  });
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
  return formRoutes({
    name: 'RotateSecret',
    path: webhookPath(':id', 'rotate-secret'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => showWebhookBacklog(id, call),
    asks: ({ endpoint: { id } }) => ({
      path: pathTo(id),
      here: 'Rotate secret',
      title: 'Rotate the secret?',
      text: html`A new secret is made and shown once. Deliveries are signed by both until the overlap ends, so that your
      server can learn the new one in between.`,
      button: 'Rotate secret',
    }),
    back: ({ endpoint: { id } }) => backTo(id),
    proposes: () => ({ overlap: `${defaultOverlap / day}d` }),
    members: { overlap: must(secretOverlap) },
    seen: (known) => ({
      now: seenOf(known),
      intent: html`rotate the secret of ${mono(known.endpoint.id)}. If this form was sent before, the answer to that has
      shown the secret, and it is not shown again.`,
    }),
    act: async ({ overlap }, { endpoint: { id, revision } }, { call }) =>
      shown(rotatedPage(await rotateWebhookSecret({ id, overlap, revision }, call))),
  });
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
    back: webhookPath(id),
  });
}
