// A worker that runs a populated service and records each regular expression that runs while it answers, in its own code, in
// packages and in Node. It posts its address and, when it is asked, what it has recorded.
import { parentPort } from 'node:worker_threads';
import { defaultRateLimits } from '../../../../adapters/http/limits/rate-limits.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import { ConsoleClient } from '../../../support/web/console-client.ts';
import type { Expression } from './recorded-expressions.ts';

type Exec = (text: string) => RegExpExecArray | null;

const recorded = new Map<string, Expression>();
let isRecording = false;

/** Every method that matches, of strings and of expressions, goes through `exec`. */
const exec: Exec = Reflect.get(RegExp.prototype, 'exec');
const recording = new Proxy(exec, {
  apply: (target, regex: RegExp, [text]: [string]) => {
    if (isRecording && !recorded.has(String(regex))) {
      recorded.set(String(regex), { source: regex.source, flags: regex.flags, sample: text });
    }
    return Reflect.apply(target, regex, [text]);
  },
});
Reflect.set(RegExp.prototype, 'exec', recording);

const perMinute = 1_000_000_000;
const rateLimits = Object.fromEntries(Object.keys(defaultRateLimits).map((operation) => [operation, perMinute]));
const service = await startPopulated({ adminPort: 0, rateLimits, trustedProxies: ['loopback'], onLogLine: () => {} });
await service.addOperatorKey(operatorKeys.full);
isRecording = true;
await useConsole(new ConsoleClient(service));

parentPort?.on('message', () => {
  isRecording = false;
  parentPort?.postMessage([...recorded.values()], []);
});
parentPort?.postMessage(service.url, []);

/** Uses what the console reads of its visitors: addresses, cookies, and the fields of its forms. */
async function useConsole(client: ConsoleClient): Promise<void> {
  await client.get('/console/sign-in');
  await client.get('/console/sign-in', { Host: 'shop.example' });
  await client.signIn();
  for (const change of ['renew', 'change-tier', 'suspend', 'cancel', 'revoke']) {
    await client.get(`/console/entitlements/ent_1/${change}`);
    await client.submit(`/console/entitlements/ent_1/${change}`, { version: '9' });
  }
  const currentPeriodEnd = '2027-01-01T10:00';
  await client.submit('/console/entitlements/ent_1/renew', { version: '1', currentPeriodEnd });
  await client.submit('/console/entitlements/ent_1/renew', { version: '1', currentPeriodEnd });
}
