// A worker that runs a populated service and measures how much CPU each turn of its event loop takes. It posts its addresses and,
// when it is asked, the most expensive turn since it was asked to begin, in linear passes of the same thread at that time.
import { parentPort } from 'node:worker_threads';
import { defaultRateLimits } from '../../../../adapters/http/limits/rate-limits.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import type { WorkerAddresses } from './recorded-expressions.ts';

const perMinute = 1_000_000_000;
const rateLimits = Object.fromEntries(Object.keys(defaultRateLimits).map((operation) => [operation, perMinute]));
const service = await startPopulated({ adminPort: 0, rateLimits, trustedProxies: ['loopback'], onLogLine: () => {} });
await service.addOperatorKey(operatorKeys.full);
warmLinearPass();
const addresses: WorkerAddresses = { url: service.url, adminUrl: service.adminUrl ?? '' };

let max = 0;
/** Not all the time, because the turns that it counts keep a core busy. */
let isMeasuring = false;
let before = process.threadCpuUsage();
const measureTurn = (): void => {
  const { user, system } = process.threadCpuUsage(before);
  max = Math.max(max, (user + system) / 1000);
  before = process.threadCpuUsage();
  if (isMeasuring) setImmediate(measureTurn);
};

parentPort?.on('message', (asked: 'begin' | 'max') => {
  // After the turn that has answered, which is not over if the question comes before its end.
  setImmediate(() => {
    isMeasuring = asked === 'begin';
    parentPort?.postMessage(isMeasuring ? null : max / linearPass(), []);
    max = 0;
    before = process.threadCpuUsage();
    if (isMeasuring) setImmediate(measureTurn);
  });
});
parentPort?.postMessage(addresses, []);
