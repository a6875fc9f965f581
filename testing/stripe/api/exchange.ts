import { eventInVersion } from '../events/deliveries.ts';
import type { ShopEvent } from '../events/shop-event.ts';
import { currentVersion, inVersion, isApiVersion, type ApiVersion } from '../events/versions.ts';
import type { Ledger } from '../shop/ledger.ts';
import type { ApiKeys } from './api-keys.ts';
import { expand } from './expand.ts';
import type { Fault, Faults } from './faults.ts';
import { listOfTexts, readParameters, refuseUnknown } from './parameters.ts';
import { refusals, StripeRefusal } from './refusals.ts';
import type { Route } from './route.ts';
import { routeOf } from './routes.ts';
import type { Answer, SavedAnswers } from './saved-answers.ts';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  /** The query of a GET, the body of the others. */
  readonly form: string;
  readonly authorization: string | undefined;
  readonly version: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface Account {
  readonly ledger: Ledger;
  readonly keys: ApiKeys;
  readonly saved: SavedAnswers;
  readonly faults: Faults;
}

/** The outcome of a request: an answer, at once or when a test releases it, or nothing. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly retryAfter?: number | undefined;
      readonly replayed?: true;
    }
  | { readonly kind: 'hold'; readonly answer: Answer; readonly fault: Fault & { readonly kind: 'hold' } }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hang' };

/** Carries a request out. */
export function carryOut(account: Account, arrived: Arrived): Outcome {
  const requestId = account.ledger.newId('req');
  try {
    const { route, id } = routeOf(arrived.method, arrived.path);
    const before = account.faults.take(route, false);
    if (before !== null && before.kind !== 'hold') return failed(before, requestId);
    account.keys.check(arrived.authorization, route, account.ledger.account.id);
    const version = versionOf(arrived.version, account.ledger);
    const key = route.method === 'POST' ? arrived.idempotencyKey : undefined;
    const work = (): Answer => answerOf(account.ledger, route, id, arrived, version, requestId);
    return key === undefined
      ? atOnce(account, route, work, requestId)
      : once(account, route, key, arrived, work, requestId);
  } catch (error) {
    return { kind: 'answer', answer: refusal(error, requestId) };
  }
}

function atOnce({ faults }: Account, route: Route, work: () => Answer, requestId: string): Outcome {
  const answer = work();
  const fault = faults.take(route, true);
  if (fault === null) return { kind: 'answer', answer };
  return fault.kind === 'hold' ? { kind: 'hold', answer, fault } : failed(fault, requestId);
}

/** Carries out a request with an idempotency key, whose answer is kept: a 500, too, but not what refused to begin. */
function once(
  account: Account,
  route: Route,
  key: string,
  arrived: Arrived,
  work: () => Answer,
  requestId: string,
): Outcome {
  const { saved, ledger } = account;
  const repeated = saved.begin(key, `${arrived.method} ${arrived.path} ${arrived.form}`, ledger.now());
  if (repeated !== null) return { kind: 'answer', answer: repeated, replayed: true };
  let done: Answer | null = null;
  const outcome = atOnce(account, route, () => (done = settled(work, requestId)), requestId);
  const kept = outcome.kind === 'answer' && outcome.answer.status !== 429 ? outcome.answer : done;
  if (kept === null) saved.forget(key);
  else saved.finish(key, kept);
  return outcome;
}

function settled(work: () => Answer, requestId: string): Answer {
  try {
    return work();
  } catch (error) {
    return refusal(error, requestId);
  }
}

function answerOf(
  ledger: Ledger,
  route: Route,
  id: string,
  { form, idempotencyKey = null }: { readonly form: string; readonly idempotencyKey?: string | null | undefined },
  version: ApiVersion,
  requestId: string,
): Answer {
  const parameters = readParameters(form);
  refuseUnknown(parameters, route.parameters);
  const cause = { id: requestId, idempotency_key: idempotencyKey };
  const answer = ledger.causedBy(cause, () => route.answer({ ledger, id, parameters }));
  const expanded = expand(ledger, structuredClone(answer), listOfTexts(parameters, 'expand'));
  const rendered = rendersEvents(route) ? withEvents(expanded, ledger) : inVersion(expanded, version);
  return { status: 200, body: JSON.stringify(rendered, null, 2), requestId };
}

function rendersEvents({ path }: Route): boolean {
  return path.startsWith('/v1/events');
}

/** Renders events in the version of the account, regardless of the version of the request: Stripe stored them so. */
function withEvents(answer: object, { apiVersion }: Ledger): object {
  const render = (event: ShopEvent): ShopEvent =>
    isApiVersion(apiVersion) ? eventInVersion(event, apiVersion) : event;
  return 'data' in answer && Array.isArray(answer.data)
    ? { ...answer, data: (answer.data as ShopEvent[]).map(render) }
    : render(answer as ShopEvent);
}

function versionOf(asked: string | undefined, { apiVersion }: Ledger): ApiVersion {
  const version = asked ?? apiVersion;
  if (isApiVersion(version)) return version;
  if (!/^\d{4}-\d{2}-\d{2}/.test(version)) throw refusals.unknownVersion(version);
  return version < '2025-03-31' ? '2024-06-20' : currentVersion;
}

function failed(fault: Exclude<Fault, { kind: 'hold' }>, requestId: string): Outcome {
  if (fault.kind !== 'status') return { kind: fault.kind };
  const { status, retryAfter } = fault;
  return { kind: 'answer', answer: refusal(faultOf(status), requestId), retryAfter };
}

function faultOf(status: number): StripeRefusal {
  if (status === 429)
    return new StripeRefusal(429, {
      message: 'Request rate limit exceeded.',
      code: 'rate_limit',
      type: 'invalid_request_error',
    });
  return new StripeRefusal(status, { message: 'An unknown error occurred.', type: 'api_error' });
}

function refusal(error: unknown, requestId: string): Answer {
  if (!(error instanceof StripeRefusal)) throw error;
  const { status, error: body } = error;
  return { status, body: JSON.stringify({ error: body }, null, 2), requestId };
}
