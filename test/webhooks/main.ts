// Delivers events to a receiver that verifies them with the package of PyPI, and expects it to accept all but one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MemoryStore } from '../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { hour } from '../support/builders.ts';
import { MovedClock, TestDeliveries } from '../support/webhooks/deliveries.ts';

const expected =
  'entitlement.granted, entitlement.suspended, entitlement.reinstated, webhook.test, WebhookVerificationError';

const [python = 'python3'] = process.argv.slice(2);
const { ports } = openMemoryStore(retentionFor(defaultTtl), new MemoryStore());
const deliveries = new TestDeliveries({ ...ports, settle: async () => {} }, new MovedClock(0));
await deliveries.addProduct();

// The URL of the receiver is known once it has started, and it needs the secrets to start.
const secrets = [nodePlatform.newWebhookSecret(), nodePlatform.newWebhookSecret()];
const receiver = spawn(python, [join(import.meta.dirname, 'verify.py')], {
  env: { ...process.env, WEBHOOK_SECRETS: secrets.join(' ') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
const next = async (): Promise<string> => (await lines.next()).value ?? 'nothing';
const received: string[] = [];
try {
  const url = `http://127.0.0.1:${await next()}/`;
  await deliveries.addWebhook(url);
  const seen = await ports.webhookEndpoints.find('whk_1', deliveries.call());
  if (seen === null) throw new Error('the endpoint was added');
  const [first = '', second = ''] = secrets;
  const until = new Date(Date.now() + hour);
  const both = [
    { key: first, until: null },
    { key: second, until },
  ];
  await ports.webhookEndpoints.replace({ ...seen, secrets: both, revision: 2 }, deliveries.call());
  deliveries.start();
  await deliveries.grant('a');
  await deliveries.change('a', 2);
  for (const _ of [1, 2, 3]) received.push(await next());
  await deliveries.administration.testWebhook('whk_1', deliveries.call());
  received.push(await next());
  await deliveries.administration.rotateWebhookSecret({ id: 'whk_1', overlap: 0, revision: null }, deliveries.call());
  await deliveries.administration.testWebhook('whk_1', deliveries.call());
  received.push(await next());
} finally {
  await deliveries.stop();
  receiver.kill();
  await once(receiver, 'exit');
}
const isAsExpected = received.join(', ') === expected;
process.stdout.write(
  `${isAsExpected ? 'verified by standardwebhooks of PyPI' : 'NOT AS EXPECTED'}: ${received.join(', ')}\n`,
);
process.exitCode = isAsExpected ? 0 : 1;
