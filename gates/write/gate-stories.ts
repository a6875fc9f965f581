import type { Answer, Exchange, GateCase, Members, Step, Stored } from '../../testing/gates/cases.ts';
import { fetches, invalid, unavailable, valid, verifies } from './gate-table.ts';
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
  issuedAt,
  json,
  licenseKey,
  next,
  productId,
  receiptOf,
  saysUnknown,
  saysValid,
  storedOf,
  stranger,
  trial,
  validFor,
} from './world.ts';

// Cases over time, and unexpected storages and services.

type Check = Extract<Step, { readonly call: 'check' }>;

/** A check with the license key of all cases. */
export function check(
  now: string,
  exchanges: readonly Exchange[],
  result: Members,
  stored: Step['stored'],
  more: Partial<Check> = {},
): Check {
  return { call: 'check', now, licenseKey, exchanges, result, stored, ...more };
}

const dead = [verifies('closed')];
const year = receiptOf(0, { mode: 'offline', exp: issuedAt + 365 * 86_400 });

export function stories(): readonly GateCase[] {
  return [...overTime(), ...clocks(), ...keysAndSpellings(), ...lies(), ...storages(), ...accepting(), ...allowances()];
}

function overTime(): readonly GateCase[] {
  const [first, second] = [receiptOf(0), receiptOf(-13 * 86_400)];
  const offline = (days: number, restart?: true): Check =>
    check(
      at(days * day),
      dead,
      valid('receipt', endOf(first), entitlement, at(days * day)),
      storedOf(first, at(days * day)),
      {
        ...(restart && { restart }),
      },
    );
  return [
    {
      name: 'time/from-a-receipt-to-its-end-and-back',
      stored: null,
      steps: [
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(first))],
          valid('online', endOf(first)),
          storedOf(first, at()),
        ),
        offline(1),
        offline(7, true),
        offline(13.99),
        check(
          at(14 * day),
          dead,
          invalid('receipt', 'expired', entitlement, at(14 * day)),
          storedOf(first, at(14 * day)),
        ),
        check(
          at(12.5 * day),
          dead,
          invalid('receipt', 'clock_set_back', entitlement, at(12.5 * day)),
          storedOf(first, at(14 * day)),
        ),
        check(
          at(13.5 * day),
          dead,
          invalid('receipt', 'expired', entitlement, at(13.5 * day)),
          storedOf(first, at(14 * day)),
        ),
        check(
          at(13.5 * day),
          [verifies(saysValid), fetches(handedOut(second))],
          valid('online', endOf(second), entitlement, at(13.5 * day)),
          storedOf(second, at(13.5 * day)),
        ),
      ],
    },
    {
      name: 'time/what-the-service-has-contradicted-is-forgotten',
      stored: storedOf(first),
      steps: [
        check(at(), [verifies(saysUnknown)], invalid('online', 'unknown'), storedOf(null)),
        check(at(), dead, unavailable('none'), 'unchanged'),
        check(at(), dead, unavailable('none'), 'unchanged', { restart: true }),
      ],
    },
    {
      name: 'time/no-verdict-is-remembered',
      stored: null,
      steps: [
        check(at(), [verifies(saysValid), fetches('closed')], valid('online', null), storedOf(null, at())),
        check(at(hour), dead, unavailable('none', at(hour)), 'unchanged'),
        check(at(hour), [verifies(saysUnknown)], invalid('online', 'unknown', null, at(hour)), 'unchanged'),
        check(at(2 * hour), dead, unavailable('none', at(2 * hour)), 'unchanged'),
      ],
    },
    {
      name: 'time/a-license-that-was-invalid-works-again',
      stored: null,
      steps: [
        check(
          at(),
          [verifies(json(200, { valid: false, entitlement: trial }))],
          invalid('online', 'no_access', trial),
          'unchanged',
        ),
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(first))],
          valid('online', endOf(first)),
          storedOf(first, at()),
        ),
      ],
    },
    {
      name: 'time/the-next-check-is-not-after-the-end-of-the-receipt',
      stored: storedOf(receiptOf(validFor - 7200)),
      steps: [
        check(
          at(),
          [verifies(saysValid), fetches('closed')],
          valid('online', at(2 * hour)),
          storedOf(receiptOf(validFor - 7200), at()),
        ),
        check(
          at(1.5 * hour),
          dead,
          valid('receipt', at(2 * hour), entitlement, at(1.5 * hour)),
          storedOf(receiptOf(validFor - 7200), at(1.5 * hour)),
        ),
      ],
    },
  ];
}

const back = (now: string): Members => invalid('receipt', 'clock_set_back', entitlement, now);

function clocks(): readonly GateCase[] {
  const receipt = receiptOf(0);
  const seen = (name: string, lastSeen: string | null, now: string, result: Members, after: string): GateCase => ({
    name: `clock/${name}`,
    stored: storedOf(receipt, lastSeen),
    steps: [check(now, dead, result, storedOf(receipt, after))],
  });
  const ok = (now: string): Members => valid('receipt', endOf(receipt), entitlement, now);
  const far = 400 * day;
  return [
    seen('a-day-behind', at(5 * day), at(4 * day), ok(at(4 * day)), at(5 * day)),
    seen('more-than-a-day-behind', at(5 * day), at(4 * day - 1), back(at(4 * day - 1)), at(5 * day)),
    seen('nothing-seen', null, at(day), ok(at(day)), at(day)),
    seen('a-day-before-the-issue', null, at(-day), ok(at(-day)), at(-day)),
    seen('more-than-a-day-before-the-issue', null, at(-day - 1), back(at(-day - 1)), at(-day - 1)),
    seen(
      'the-latest-instant-decides-the-end',
      at(14 * day),
      at(13.5 * day),
      invalid('receipt', 'expired', entitlement, at(13.5 * day)),
      at(14 * day),
    ),
    seen('a-millisecond-before-the-end', null, at(14 * day - 1), ok(at(14 * day - 1)), at(14 * day - 1)),
    {
      name: 'clock/online-mends-a-clock-that-was-far-ahead',
      stored: null,
      steps: [
        check(
          at(far),
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', null, entitlement, at(far)),
          storedOf(receipt, at(far)),
        ),
        check(at(), dead, back(at()), storedOf(receipt, at(far))),
        check(at(), [verifies(saysValid)], valid('online', endOf(receipt)), storedOf(receipt, at())),
        check(at(), dead, ok(at()), storedOf(receipt, at())),
      ],
    },
    {
      name: 'clock/a-battery-that-is-empty',
      stored: null,
      steps: [
        check(
          '2000-01-01T00:00:00.000Z',
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', null, entitlement, '2000-01-01T00:00:00.000Z'),
          storedOf(receipt, '2000-01-01T00:00:00.000Z'),
        ),
        check(
          '2000-01-01T00:00:00.000Z',
          dead,
          back('2000-01-01T00:00:00.000Z'),
          storedOf(receipt, '2000-01-01T00:00:00.000Z'),
        ),
        check(at(day), dead, ok(at(day)), storedOf(receipt, at(day))),
      ],
    },
  ];
}

function keysAndSpellings(): readonly GateCase[] {
  const receipt = receiptOf(0);
  const spelled = (name: string, typed: string, sent = typed.trim()): GateCase => ({
    name: `license-key/${name}`,
    stored: storedOf(receipt),
    steps: [
      check(
        at(),
        [verifies('closed', { licenseKey: sent, productId })],
        valid('receipt', endOf(receipt)),
        storedOf(receipt, at()),
        {
          licenseKey: typed,
        },
      ),
    ],
  });
  const other = (name: string, typed: string): GateCase => ({
    name: `license-key/${name}`,
    stored: storedOf(receipt),
    steps: [
      check(at(), [verifies('closed', { licenseKey: typed, productId })], unavailable('wrong_key'), 'unchanged', {
        licenseKey: typed,
      }),
    ],
  });
  /** A key of another vendor, which is long in bytes. */
  const imported = (name: string, typed: string, sent: string): GateCase => {
    const own = receiptOf(0, { key: digestOf(sent) });
    const exchanges = [verifies('closed', { licenseKey: sent, productId })];
    const result = valid('receipt', endOf(own));
    return {
      name: `license-key/${name}`,
      stored: storedOf(own),
      steps: [check(at(), exchanges, result, storedOf(own, at()), { licenseKey: typed })],
    };
  };
  const longest = `${'\u{1F511} '.repeat(59)}\u{1F511}\u{1F511}`;
  const typo = 'LK-0GATE-S1MPX-EKEYF-0RCAS-ESABC-DEFGR';
  return [
    spelled('in-small-letters-and-spaces', ` ${licenseKey.toLowerCase().replaceAll('-', ' ')}\n`),
    spelled('with-o-for-0-and-l-for-1', licenseKey.replaceAll('0', 'o').replaceAll('1', 'l')),
    spelled('with-white-space-of-every-kind-at-its-ends', `\uFEFF\u00A0\t${licenseKey}\u3000\u2028\n`, licenseKey),
    spelled('with-a-hundred-spaces', `${' '.repeat(50)}${licenseKey}${'\n'.repeat(50)}`, licenseKey),
    spelled('with-many-invisible-characters', `\u200B${licenseKey}${'\u200B\u2060'.repeat(100)}`, licenseKey),
    spelled('with-white-space-between-its-letters', Array.from(licenseKey).join('  \n  '), licenseKey),
    spelled('with-few-invisible-characters', `\u200B${licenseKey}\u00AD`),
    imported('of-120-code-points', ` ${longest}\n`, longest),
    imported('of-121-code-points', `${longest}x`, `${'\u{1F511}'.repeat(61)}x`),
    other('another', typo),
    other('empty', ''),
    {
      name: 'license-key/a-typo-does-not-drop-the-receipt',
      stored: storedOf(receipt),
      steps: [
        check(
          at(),
          [verifies(saysUnknown, { licenseKey: typo, productId })],
          invalid('online', 'unknown'),
          'unchanged',
          { licenseKey: typo },
        ),
        check(at(), dead, valid('receipt', endOf(receipt)), storedOf(receipt, at())),
      ],
    },
    {
      name: 'license-key/of-two-licenses-the-later-receipt-stays',
      stored: storedOf(receiptOf(0, { key: digestOf('another key') })),
      steps: [
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', endOf(receipt)),
          storedOf(receipt, at()),
        ),
      ],
    },
    rotation('signing-key/rotated-and-known', next.receipt(claims()), true),
    rotation('signing-key/rotated-and-unknown', stranger.receipt(claims()), false),
  ];
}

/** A program whose receipt is to be refreshed, after a rotation of the service's keys. */
function rotation(name: string, fetched: string, isKnown: boolean): GateCase {
  const before = receiptOf(validFor / 2);
  const kept = isKnown ? fetched : before;
  return {
    name,
    stored: storedOf(before),
    steps: [
      check(
        at(),
        [verifies(saysValid), fetches(handedOut(fetched))],
        valid('online', endOf(kept)),
        storedOf(kept, at()),
      ),
      check(at(), dead, valid('receipt', endOf(kept)), storedOf(kept, at()), { restart: true }),
    ],
  };
}

/** A receipt that is handed out, and that no gate may store in place of a good one. */
function lies(): readonly GateCase[] {
  const good = receiptOf(validFor - 1);
  const receipts: Readonly<Record<string, Answer>> = {
    'of-an-unknown-key': handedOut(stranger.receipt(claims())),
    forged: handedOut(stranger.receipt(claims(), active.header())),
    'of-someone-else': handedOut(receiptOf(0, { key: digestOf('the key of someone else') })),
    'of-another-product': handedOut(receiptOf(0, { aud: 'prod_2' })),
    'of-a-page': handedOut('<!doctype html>'),
    'a-number': handedOut(7),
    'an-object': handedOut({ receipt: receiptOf(0) }),
    missing: json(200, { success: true, data: {} }),
    'no-data': json(200, { success: true }),
    'null-as-data': json(200, { success: true, data: null }),
    'without-success': json(200, { data: { receipt: receiptOf(0) } }),
    huge: handedOut('{{huge}}'),
    'nested-body': { status: 200, body: '{{nested}}' },
    'status-404': json(404, { success: false, error: 'No.' }, { 'Error-Code': 'license_not_found' }),
    'status-409': json(409, { success: false, error: 'No.' }, { 'Error-Code': 'no_access' }),
    'status-500': json(500, { success: true, data: { receipt: receiptOf(0) } }),
    silence: 'silent',
  };
  return Object.entries(receipts).map(([name, answer]) => ({
    name: `fetched-receipt/${name}`,
    stored: storedOf(good),
    steps: [check(at(), [verifies(saysValid), fetches(answer)], valid('online', endOf(good)), storedOf(good, at()))],
  }));
}

const text = (value: unknown): string => JSON.stringify(value);

function storages(): readonly GateCase[] {
  const receipt = receiptOf(0);
  const garbled: Readonly<Record<string, string>> = {
    empty: '',
    null: 'null',
    'a-list': '[]',
    'a-number': '7',
    'an-empty-object': '{}',
    half: '{',
    nested: '{{nested}}',
    huge: '{{huge}}',
    'the-receipt-alone': receipt,
    'version-2': text({ version: 2, receipt, lastSeen: null }),
    'version-as-text': text({ version: '1', receipt, lastSeen: null }),
    'version-as-true': text({ version: true, receipt, lastSeen: null }),
    'no-version': text({ receipt, lastSeen: null }),
    'no-last-seen': text({ version: 1, receipt }),
    'last-seen-as-number': text({ version: 1, receipt, lastSeen: issuedAt }),
    'last-seen-as-word': text({ version: 1, receipt, lastSeen: 'yesterday' }),
    'receipt-as-number': text({ version: 1, receipt: 7, lastSeen: null }),
    'members-in-capitals': text({ Version: 1, Receipt: receipt, LastSeen: null }),
  };
  const failing: readonly Step[] = [
    check(at(), [verifies(saysValid), fetches(handedOut(receipt))], valid('online', endOf(receipt)), null),
    check(at(), [verifies(saysUnknown)], invalid('online', 'unknown'), null),
    check(at(), dead, unavailable('none'), null),
    { call: 'accept', now: at(), receipt: year, exchanges: [], result: accepted(year), stored: null },
  ];
  return [
    { name: 'storage/fails', stored: null, storage: 'fails', steps: failing },
    {
      name: 'storage/has-further-members',
      stored: { text: text({ more: {}, lastSeen: at(), receipt, version: 1 }) },
      steps: [
        check(at(hour), dead, valid('receipt', endOf(receipt), entitlement, at(hour)), storedOf(receipt, at(hour))),
      ],
    },
    ...Object.entries(garbled).map(([name, each]): GateCase => ({
      name: `storage/holds-${name}`,
      stored: { text: each },
      steps: [
        check(at(), dead, unavailable('none'), 'unchanged'),
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', endOf(receipt)),
          storedOf(receipt, at()),
        ),
        check(at(), dead, valid('receipt', endOf(receipt)), storedOf(receipt, at())),
      ],
    })),
  ];
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The result of verifying a valid receipt. */
export function accepted(receipt: string, own: Members = entitlement): Members {
  const { iat, exp, mode } = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly iat: number;
    readonly exp: number;
    readonly mode: string;
  };
  const times = { issuedAt: instant(iat), refreshAfter: instant((iat + exp) / 2), expiresAt: instant(exp) };
  return { verdict: 'valid', mode: ['offline', 'trial'].includes(mode) ? mode : 'online', ...times, entitlement: own };
}

export function refused(reason: string, own: Members | null = null): Members {
  return { verdict: 'invalid', reason, entitlement: own };
}

const accept = (receipt: string, result: Members, stored: Step['stored'], now = at()): Step => ({
  call: 'accept',
  now,
  receipt,
  exchanges: [],
  result,
  stored,
});

const one = (name: string, before: Stored | null, ...steps: readonly Step[]): GateCase => ({
  name: `accept/${name}`,
  stored: before,
  steps,
});

function accepting(): readonly GateCase[] {
  const offline = { mode: 'offline', exp: issuedAt + 365 * 86_400 };
  const later = at(300 * day);
  const typed = { licenseKey: 'another key of somebody', productId };
  return [
    one(
      'an-offline-receipt',
      null,
      accept(`${year}\n`, accepted(year), storedOf(year, at())),
      check(later, dead, valid('receipt', endOf(year), entitlement, later), storedOf(year, later), { restart: true }),
      check(later, [verifies('closed', typed)], unavailable('wrong_key', later), 'unchanged', {
        licenseKey: typed.licenseKey,
      }),
    ),
    one(
      'in-place-of-another',
      storedOf(receiptOf(0), at(hour)),
      accept(year, accepted(year), storedOf(year, at(hour))),
    ),
    one('no-online-receipt', storedOf(null), accept(receiptOf(0), accepted(receiptOf(0)), 'unchanged')),
    one('no-text', null, accept('a receipt', refused('malformed'), null)),
    one(
      'none-that-is-over',
      null,
      accept(receiptOf(0, { ...offline, exp: issuedAt }), refused('expired', entitlement), null),
    ),
    one(
      'none-of-another-product',
      null,
      accept(receiptOf(0, { ...offline, aud: 'prod_2' }), refused('wrong_product'), null),
    ),
    one(
      'none-of-an-unknown-key',
      null,
      accept(stranger.receipt(claims(offline)), refused('unknown_signing_key'), null),
    ),
    one(
      'none-while-the-clock-is-set-back',
      storedOf(null, at(400 * day)),
      accept(year, refused('clock_set_back', entitlement), 'unchanged'),
    ),
  ];
}

/** Features, limits and ends, which receipts have and verifications have not. */
function allowances(): readonly GateCase[] {
  const features = { projects: 20, sso: true, theme: 'dark', beta: false };
  const rich = { ...entitlement, deviceLimit: 3, features };
  const receipt = receiptOf(0, { entitlement: rich });
  const { currentPeriodEnd: _, ...rest } = entitlement;
  const purchase = { ...rest, billingInterval: 'one_time' };
  const ends = { accessEndsAt: at(700 * day), updatesUntil: at(300 * day) };
  const bought = receiptOf(0, { entitlement: { ...purchase, ...ends } });
  const bare = receiptOf(0);
  const saysRich = json(200, { valid: true, entitlement: { ...rich, ...ends } });
  const saysPurchase = json(200, { valid: true, entitlement: purchase });
  const basic = { ...trial, deviceLimit: 1, features: { projects: 1 } };
  const handed = receiptOf(0, { mode: 'offline', exp: issuedAt + 365 * 86_400, entitlement: basic });
  const late = at(200 * day);
  const newer = receiptOf(-200 * 86_400, { entitlement: rich });
  return [
    {
      name: 'allowances/an-upgrade-over-an-offline-receipt',
      stored: storedOf(handed),
      steps: [
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', endOf(handed), rich),
          storedOf(handed, at()),
        ),
        check(
          at(),
          [verifies(saysValid), fetches('closed')],
          valid('online', endOf(handed), { ...entitlement, deviceLimit: 1, features: { projects: 1 } }),
          storedOf(handed, at()),
        ),
        check(
          late,
          [verifies(saysValid), fetches(handedOut(newer))],
          valid('online', endOf(handed), rich, late),
          storedOf(handed, late),
        ),
        check(late, dead, valid('receipt', endOf(handed), basic, late), storedOf(handed, late)),
      ],
    },
    {
      name: 'allowances/nothing-once-the-receipt-is-over',
      stored: storedOf(receipt),
      steps: [
        check(
          at(14 * day),
          dead,
          invalid('receipt', 'expired', entitlement, at(14 * day)),
          storedOf(receipt, at(14 * day)),
        ),
        check(at(-2 * day), dead, back(at(-2 * day)), storedOf(receipt, at(14 * day))),
      ],
    },
    {
      name: 'allowances/features-and-limit-of-the-receipt',
      stored: null,
      steps: [
        check(at(), [verifies(saysValid), fetches('closed')], valid('online', null), storedOf(null, at())),
        check(
          at(),
          [verifies(saysValid), fetches(handedOut(receipt))],
          valid('online', endOf(receipt), rich),
          storedOf(receipt, at()),
        ),
        check(at(), [verifies(saysValid)], valid('online', endOf(receipt), rich), storedOf(receipt, at())),
        check(at(), dead, valid('receipt', endOf(receipt), rich), storedOf(receipt, at())),
      ],
    },
    {
      name: 'allowances/what-only-the-answer-shows',
      stored: null,
      steps: [
        check(
          at(),
          [verifies(saysRich), fetches(handedOut(bare))],
          valid('online', endOf(bare), { ...rich, ...ends }),
          storedOf(bare, at()),
        ),
        check(at(), dead, valid('receipt', endOf(bare)), storedOf(bare, at())),
      ],
    },
    {
      name: 'allowances/ends-of-a-purchase-are-the-same-online-and-offline',
      stored: null,
      steps: [
        check(
          at(),
          [verifies(saysPurchase), fetches(handedOut(bought))],
          valid('online', endOf(bought), { ...purchase, ...ends }),
          storedOf(bought, at()),
        ),
        check(at(), dead, valid('receipt', endOf(bought), { ...purchase, ...ends }), storedOf(bought, at())),
      ],
    },
  ];
}
