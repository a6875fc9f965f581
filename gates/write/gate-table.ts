import type { Answer, Exchange, GateCase, Members, Stored } from '../../testing/gates/cases.ts';
import { digestOf } from './signer.ts';
import {
  active,
  at,
  claims,
  day,
  endOf,
  entitlement,
  handedOut,
  hour,
  json,
  licenseKey,
  nextAfter,
  productId,
  receiptOf,
  refusal,
  saysUnknown,
  saysValid,
  storedOf,
  stranger,
  trial,
  validFor,
} from './world.ts';

// The table of docs/receipts.md: each stored receipt, with each answer of the service.

const asked = { licenseKey, productId };
export const verifies = (answer: Answer, body: Members = asked): Exchange => ({
  path: '/api/licenses/verify',
  body,
  answer,
});
export const fetches = (answer: Answer, body: Members = asked): Exchange => ({
  path: '/api/licenses/receipt',
  body,
  answer,
});

export function valid(
  source: 'online' | 'receipt',
  offlineUntil: string | null,
  own: Members = entitlement,
  now = at(),
): Members {
  const { features = {}, deviceLimit = null } = own;
  const nextCheck = nextAfter(now, source === 'online' ? day : hour, offlineUntil);
  return { verdict: 'valid', source, reason: null, entitlement: own, features, deviceLimit, offlineUntil, nextCheck };
}

const nothing = { features: {}, deviceLimit: null };

/** A check that is not valid. Its entitlement contains no allowance either. */
export function invalid(source: 'online' | 'receipt', reason: string, own: Members | null = null, now = at()): Members {
  return { verdict: 'invalid', source, reason, entitlement: own, ...nothing, nextCheck: nextAfter(now, hour) };
}

export function unavailable(receipt: string, now = at()): Members {
  const nextCheck = nextAfter(now, hour);
  return { verdict: 'unavailable', reason: null, receipt, entitlement: null, ...nothing, nextCheck };
}

interface State {
  readonly receipt: string | null;
  /** `fresh` needs no successor; `old` is good without a verdict only; `foreign` is of another license or product. */
  readonly is: 'fresh' | 'old' | 'over' | 'none' | 'foreign' | 'unusable';
  readonly reason?: string;
  readonly own?: Members;
}

const week = validFor / 2;

const states: Readonly<Record<string, State>> = {
  nothing: { receipt: null, is: 'none', reason: 'none' },
  fresh: { receipt: receiptOf(week - 1), is: 'fresh' },
  'to-be-refreshed': { receipt: receiptOf(week), is: 'old' },
  'of-an-earlier-tier': { receipt: receiptOf(60, { entitlement: trial }), is: 'old', own: trial },
  offline: { receipt: receiptOf(week + 1, { mode: 'offline' }), is: 'fresh' },
  expired: { receipt: receiptOf(validFor), is: 'over', reason: 'expired' },
  'expired-offline': { receipt: receiptOf(validFor, { mode: 'offline' }), is: 'over', reason: 'expired' },
  'of-the-day-after-tomorrow': { receipt: receiptOf((-2 * day) / 1000), is: 'over', reason: 'clock_set_back' },
  'of-another-license': { receipt: receiptOf(0, { key: digestOf('another key') }), is: 'foreign', reason: 'wrong_key' },
  'of-another-product': { receipt: receiptOf(0, { aud: 'prod_2' }), is: 'foreign', reason: 'wrong_product' },
  'of-an-unknown-signing-key': { receipt: stranger.receipt(claims()), is: 'unusable', reason: 'unknown_signing_key' },
  forged: { receipt: stranger.receipt(claims(), active.header()), is: 'unusable', reason: 'bad_signature' },
  'another-text': { receipt: 'a receipt', is: 'unusable', reason: 'malformed' },
};

const verdicts: Readonly<Record<string, readonly [answer: Answer, reason: string, own: Members | null]>> = {
  unknown: [saysUnknown, 'unknown', null],
  malformed: [json(400, { valid: false, error: 'No.' }, { 'Error-Code': 'malformed_license_key' }), 'malformed', null],
  'no-access': [json(200, { valid: false, entitlement: trial }), 'no_access', trial],
};

/** Objects that are no entitlement. Each lacks a member that every one has, or has one of another kind. */
export const noEntitlements: Readonly<Record<string, Members>> = {
  'an-empty-object': {},
  'an-object-of-another-api': { id: 7, name: 'A user', createdAt: '2026-07-18' },
  'no-id': { ...entitlement, id: undefined },
  'no-product': { ...entitlement, productId: undefined },
  'no-status': { ...entitlement, status: undefined },
  'no-tier': { ...entitlement, tierId: undefined },
  'no-tier-name': { ...entitlement, tierName: undefined },
  'no-interval': { ...entitlement, billingInterval: undefined },
  'a-number-as-id': { ...entitlement, id: 1 },
  'a-list-as-status': { ...entitlement, status: ['active'] },
  'null-as-period-end': { ...entitlement, currentPeriodEnd: null },
};

/** An answer that is as long as one may be: 256 KiB. */
const filled = '{{valid-answer}}{{filling}}';

/** Answers that say nothing about the license. */
const noVerdicts: Readonly<Record<string, Answer>> = {
  'closed-connection': 'closed',
  silence: 'silent',
  'endless-body': 'endless',
  'endless-header': 'endless-header',
  'cut-body': { status: 200, body: { valid: true, entitlement }, cut: true },
  'redirect-302': { status: 302, headers: { Location: '/moved' }, body: '' },
  'redirect-307': { status: 307, headers: { Location: '/moved' }, body: '' },
  'status-204': { status: 204, body: '' },
  'status-400-without-code': json(400, { valid: false, error: 'No.' }),
  'status-401': json(401, { valid: false }),
  'status-403-of-a-firewall': { status: 403, headers: { 'Content-Type': 'text/html' }, body: '<h1>Blocked</h1>' },
  'status-404': { status: 404, body: 'Not found' },
  'status-404-license-not-found': refusal(404, 'license_not_found'),
  'status-409-no-access': refusal(409, 'no_access'),
  'status-410': refusal(410, 'retired_api_version'),
  'status-429': json(429, { valid: false, error: 'No.' }, { 'Retry-After': '30', 'Error-Code': 'rate_limited' }),
  'status-500': json(500, { valid: false, error: 'No.' }),
  'status-503-of-a-proxy': { status: 503, body: 'Bad gateway' },
  'status-500-that-says-valid': json(500, { valid: true, entitlement }),
  portal: {
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    body: '<!doctype html><title>Welcome to the hotel</title>',
  },
  'no-body': { status: 200, body: '' },
  'half-a-body': { status: 200, body: '{"valid":' },
  'two-bodies': { status: 200, body: '{"valid":true,"entitlement":{}}{"valid":true}' },
  'a-list': json(200, [{ valid: true, entitlement }]),
  null: json(200, null),
  'a-text': json(200, 'valid'),
  'valid-without-entitlement': json(200, { valid: true }),
  'valid-with-null': json(200, { valid: true, entitlement: null }),
  'valid-with-a-list': json(200, { valid: true, entitlement: [entitlement] }),
  'valid-with-a-text': json(200, { valid: true, entitlement: 'ent_1' }),
  ...Object.fromEntries(
    Object.entries(noEntitlements).map(([name, each]) => [
      `valid-with-${name}`,
      json(200, { valid: true, entitlement: each }),
    ]),
  ),
  'invalid-with-an-empty-object': json(200, { valid: false, entitlement: {} }),
  'invalid-with-null': json(200, { valid: false, entitlement: null }),
  'valid-as-text': json(200, { valid: 'true', entitlement }),
  'valid-as-number': json(200, { valid: 1, entitlement }),
  'invalid-as-number': json(200, { valid: 0 }),
  'no-valid': json(200, { entitlement }),
  'members-in-capitals': json(200, { Valid: true, Entitlement: entitlement }),
  'invalid-in-capitals': json(200, { VALID: false }),
  huge: { status: 200, body: '{{huge}}' },
  nested: { status: 200, body: '{{nested}}' },
  'valid-and-a-byte-too-long': { status: 200, body: `${filled} ` },
  'invalid-and-too-long': { status: 200, body: '{"valid":false}{{spaces}}' },
  'malformed-and-too-long': {
    status: 400,
    headers: { 'Error-Code': 'malformed_license_key' },
    body: '{"valid":false}{{spaces}}',
  },
};

/** Those that are tried with every stored receipt; the others with none and with a fresh one. */
const forEveryState = new Set(['closed-connection', 'status-404', 'status-500', 'portal']);

/** Facts of a receipt that are outdated: each is a reason to fetch another. */
const outdated: Readonly<Record<string, Members>> = {
  status: { status: 'past_due' },
  'tier-name': { tierName: 'Pro' },
  interval: { billingInterval: 'year' },
  'period-end': { currentPeriodEnd: '2026-07-19T00:00:00.000Z' },
  'no-period-end': { currentPeriodEnd: undefined },
};

function outdatedCases(): readonly GateCase[] {
  return Object.entries(outdated).flatMap(([member, each]) => {
    const own = { ...entitlement, ...each };
    const offline = receiptOf(60, { mode: 'offline', entitlement: own });
    const fetched = receiptOf(-1);
    const [kept, result] = [storedOf(offline, at()), valid('online', endOf(offline))];
    return [
      ...validCases(`of-another-${member}`, { receipt: receiptOf(60, { entitlement: own }), is: 'old', own }),
      only(
        `valid/offline-of-another-${member}`,
        offline,
        [verifies(saysValid), fetches(handedOut(fetched))],
        result,
        kept,
      ),
    ];
  });
}

export function tableCases(): readonly GateCase[] {
  return [...outdatedCases(), ...stateCases(), longestAnswer()];
}

function stateCases(): readonly GateCase[] {
  return Object.entries(states).flatMap(([name, state]) => [
    ...validCases(name, state),
    ...Object.entries(verdicts).map(([verdict, each]) => invalidCase(`${verdict}/${name}`, state, each)),
    ...Object.entries(noVerdicts)
      .filter(([title]) => forEveryState.has(title) || name === 'fresh' || name === 'nothing')
      .map(([title, answer]) => withoutVerdict(`no-verdict/${title}/${name}`, state, answer)),
  ]);
}

function longestAnswer(): GateCase {
  const state: State = { receipt: receiptOf(week - 1), is: 'fresh' };
  const exchanges = [verifies({ status: 200, body: filled })];
  return only(
    'valid/the-longest-answer',
    state.receipt,
    exchanges,
    valid('online', until(state.receipt)),
    storedOf(state.receipt, at()),
  );
}

const until = (text: string | null): string | null => (text === null ? null : endOf(text));

function validCases(name: string, { receipt, is }: State): readonly GateCase[] {
  const fetched = receiptOf(-1);
  const own = is === 'fresh' || is === 'old' ? until(receipt) : null;
  if (is === 'fresh') {
    const result = valid('online', own);
    return [only(`valid/${name}`, receipt, [verifies(saysValid)], result, storedOf(receipt, at()))];
  }
  return [
    only(
      `valid/${name}/another-is-fetched`,
      receipt,
      [verifies(saysValid), fetches(handedOut(fetched))],
      valid('online', endOf(fetched)),
      storedOf(fetched, at()),
    ),
    only(
      `valid/${name}/none-is-fetched`,
      receipt,
      [verifies(saysValid), fetches('closed')],
      valid('online', own),
      storedOf(receipt, at()),
    ),
  ];
}

function invalidCase(
  name: string,
  { receipt, is }: State,
  [answer, reason, own]: readonly [Answer, string, Members | null],
): GateCase {
  const isKept = is === 'none' || is === 'foreign' || reason === 'malformed';
  const after = isKept ? 'unchanged' : storedOf(null);
  return only(name, receipt, [verifies(answer)], invalid('online', reason, own), after);
}

function withoutVerdict(
  name: string,
  { receipt, is, reason = '', own = entitlement }: State,
  answer: Answer,
): GateCase {
  const exchanges = [verifies(answer)];
  const after = storedOf(receipt, at());
  if (receipt !== null && (is === 'fresh' || is === 'old'))
    return only(name, receipt, exchanges, valid('receipt', endOf(receipt), own), after);
  if (is === 'over') return only(name, receipt, exchanges, invalid('receipt', reason, own), after);
  return only(name, receipt, exchanges, unavailable(reason), 'unchanged');
}

/** A case of one check. */
function only(
  name: string,
  receipt: string | null,
  exchanges: readonly Exchange[],
  result: Members,
  stored: Stored | 'unchanged',
): GateCase {
  const before = receipt === null ? null : storedOf(receipt);
  const after = stored === 'unchanged' || receipt !== null ? stored : storedOf(stored.receipt, stored.lastSeen);
  return { name, stored: before, steps: [{ call: 'check', now: at(), licenseKey, exchanges, result, stored: after }] };
}
