// A worker that runs a populated service and records each regular expression that runs while it answers, in its own code, in
// packages and in Node. It posts its addresses and, when it is asked, what it has recorded.
import { parentPort } from 'node:worker_threads';
import { defaultRateLimits } from '../../../../adapters/http/limits/rate-limits.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import type { Expression, WorkerAddresses } from './recorded-expressions.ts';

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
await service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
const addresses: WorkerAddresses = { url: service.url, adminUrl: service.adminUrl ?? '' };
isRecording = true;

parentPort?.on('message', () => {
  isRecording = false;
  parentPort?.postMessage([...recorded.values()], []);
});
parentPort?.postMessage(addresses, []);
