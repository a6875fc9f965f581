// A worker that runs a populated service and measures how much CPU it takes. It posts its addresses and, when it is asked, the
// cost since it was asked to begin, in linear passes of the same thread at that time: of all turns of its event loop, or of
// the most expensive one.
import { parentPort, workerData } from 'node:worker_threads';
import { defaultRateLimits } from '../../../../adapters/http/limits/rate-limits.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import type { WorkerAddresses } from './recorded-expressions.ts';

/** A cost below this on a current machine is compared with nothing. */
const fewMilliseconds = 5;

/** Passes from which a cost is compared with those of its time. Below them, the shortest one is compared, which is stricter. */
const limit = Number(workerData);

/** A question to the worker. */
export type Question = 'begin' | 'begin turns' | 'cost';

const perMinute = 1_000_000_000;
const rateLimits = Object.fromEntries(Object.keys(defaultRateLimits).map((operation) => [operation, perMinute]));
const service = await startPopulated({ adminPort: 0, rateLimits, trustedProxies: ['loopback'], onLogLine: () => {} });
await service.addOperatorKey(operatorKeys.full);
warmLinearPass();
let shortest = linearPass();
const addresses: WorkerAddresses = { url: service.url, adminUrl: service.adminUrl ?? '' };

let max = 0;
let begin = process.threadCpuUsage();
/** Not all the time, because the turns that it counts keep a core busy. */
let isMeasuring = false;
let before = begin;
const measureTurn = (): void => {
  max = Math.max(max, millisecondsSince(before));
  before = process.threadCpuUsage();
  if (isMeasuring) setImmediate(measureTurn);
};

parentPort?.on('message', (asked: Question) => {
  // After the turn that has answered, which is not over if the question comes before its end.
  setImmediate(() => {
    const cost = isMeasuring ? max : millisecondsSince(begin);
    isMeasuring = asked === 'begin turns';
    parentPort?.postMessage(asked === 'cost' ? passesOf(cost) : null, []);
    max = 0;
    begin = process.threadCpuUsage();
    before = begin;
    if (isMeasuring) setImmediate(measureTurn);
  });
});

function passesOf(cost: number): number {
  if (cost < fewMilliseconds) return 0;
  if (cost / shortest < limit) return cost / shortest;
  const pass = linearPass();
  shortest = Math.min(shortest, pass);
  return cost / pass;
}

/** The CPU of this thread. */
function millisecondsSince(usage: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(usage);
  return (user + system) / 1000;
}

parentPort?.postMessage(addresses, []);
