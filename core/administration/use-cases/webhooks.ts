import { findEvents } from '../../feed/find-events.ts';
import { readFeed } from '../../feed/read-feed.ts';
import { allowedWhere, ofProducts } from '../../tenant/limits.ts';
import { addWebhook, deleteWebhook } from '../../webhook/add-webhook.ts';
import { disableWebhook, enableWebhook } from '../../webhook/enable-webhook.ts';
import { replayWebhook, retryWebhook, skipWebhookEvents } from '../../webhook/redeliver-events.ts';
import { rotateWebhookSecret } from '../../webhook/rotate-webhook-secret.ts';
import { testWebhook } from '../../webhook/send-delivery.ts';
import { findLastAttempts, listWebhookBacklogs, showWebhookBacklog } from '../../webhook/show-webhook-backlog.ts';
import { everyWebhook, listWebhooks, showWebhook } from '../../webhook/show-webhooks.ts';
import type { Parts } from './parts.ts';

/** Webhook endpoints, their deliveries, and events. */
export function webhooksOf({ ports, platform }: Parts) {
  const { allEntitlements, deliveryStreams: streams, events, products, webhookEndpoints: endpoints } = ports;
  const { newEventId, newWebhookId, newWebhookSecret, sendDelivery } = platform;
  return ofProducts({
    addWebhook: allowedWhere(
      addWebhook({ endpoints, streams, events, products }, newWebhookId, newWebhookSecret),
      (_mine, { productId }) => productId !== null,
    ),
    listWebhooks: listWebhooks(endpoints),
    everyWebhook: everyWebhook(endpoints),
    showWebhook: showWebhook(endpoints, streams),
    listWebhookBacklogs: listWebhookBacklogs(listWebhooks(endpoints), streams, events),
    showWebhookBacklog: showWebhookBacklog(showWebhook(endpoints, streams), events),
    findLastAttempts: findLastAttempts(events),
    rotateWebhookSecret: rotateWebhookSecret(endpoints, newWebhookSecret),
    testWebhook: testWebhook(endpoints, newEventId, sendDelivery),
    enableWebhook: enableWebhook(endpoints, streams),
    disableWebhook: disableWebhook(endpoints),
    retryWebhook: retryWebhook(endpoints, streams),
    replayWebhook: replayWebhook(endpoints, streams, readFeed(events)),
    skipWebhookEvents: skipWebhookEvents(endpoints, streams, readFeed(events)),
    deleteWebhook: deleteWebhook(endpoints, streams),
    findEvents: findEvents(events, products, allEntitlements),
  });
}
