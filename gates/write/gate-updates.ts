import type { GateCase, Members, Step } from '../../testing/gates/cases.ts';
import { accepted, check } from './gate-stories.ts';
import { fetches, invalid, valid, verifies } from './gate-table.ts';
import {
  at,
  day,
  device,
  deviceName,
  endOf,
  entitlement,
  handedOut,
  hour,
  issuedAt,
  json,
  licenseKey,
  productId,
  receiptOf,
  saysUnknown,
  seat,
  storedOf,
} from './world.ts';

// Builds that say when they were released, and licenses whose updates end.

const { currentPeriodEnd: _, ...rest } = entitlement;
const bought: Members = { ...rest, billingInterval: 'one_time' };
const end = -30 * day;
const shown: Members = { ...bought, updatesUntil: at(end) };
const renewed: Members = { ...bought, updatesUntil: at(300 * day) };
const allowance = { deviceLimit: 3, features: { sso: true } };

function receiptWith(own: Members, more: Members = {}): string {
  return receiptOf(0, { entitlement: own, ...more });
}

const [old, next] = [receiptWith({ ...shown, ...allowance }), receiptWith({ ...renewed, ...allowance })];
const saysBought = json(200, { valid: true, entitlement: bought });
const dead = [verifies('closed')];

/** A gate of a build that was released so many milliseconds after the end of the updates. */
function built(name: string, wait: number, stored: GateCase['stored'], ...steps: readonly Step[]): GateCase {
  return { name: `updates/${name}`, needs: ['updates'], releasedAt: at(end + wait), stored, steps };
}

const ended = (source: 'online' | 'receipt', now = at()): Members => invalid(source, 'updates_ended', shown, now);

export function updateCases(): readonly GateCase[] {
  return [...ends(), ...renewals(), ...others()];
}

function ends(): readonly GateCase[] {
  const lastMinutes = at(14 * day - hour / 6);
  return [
    built(
      'a-build-of-the-last-instant',
      0,
      storedOf(old),
      check(at(), dead, valid('receipt', endOf(old), { ...shown, ...allowance }), storedOf(old, at())),
      check(at(), [verifies(saysBought)], valid('online', endOf(old), { ...shown, ...allowance }), storedOf(old, at())),
    ),
    built(
      'ended-without-the-service',
      1,
      storedOf(old),
      check(at(), dead, ended('receipt'), storedOf(old, at())),
      check(lastMinutes, dead, ended('receipt', lastMinutes), storedOf(old, lastMinutes), { restart: true }),
    ),
    built(
      'ended-with-the-service',
      1,
      null,
      check(at(), [verifies(saysBought), fetches(handedOut(old))], ended('online'), storedOf(old, at())),
      check(at(), [verifies(saysBought), fetches('closed')], ended('online'), storedOf(old, at())),
      check(at(), dead, ended('receipt'), storedOf(old, at())),
    ),
    {
      ...built(
        'ended-with-a-seat',
        1,
        storedOf(null),
        check(
          at(),
          [
            {
              path: '/api/licenses/activate',
              body: { licenseKey, productId, deviceId: device.id, deviceName: device.name },
              answer: seat(receiptWith(shown, { device: deviceName }), allowance),
            },
          ],
          invalid('online', 'updates_ended', { ...entitlement, updatesUntil: at(end) }),
          storedOf(receiptWith(shown, { device: deviceName }), at()),
        ),
      ),
      device,
    },
    {
      name: 'updates/a-build-that-does-not-say',
      stored: storedOf(old),
      steps: [
        check(at(), dead, valid('receipt', endOf(old), { ...shown, ...allowance }), storedOf(old, at())),
        check(
          at(),
          [verifies(saysBought)],
          valid('online', endOf(old), { ...shown, ...allowance }),
          storedOf(old, at()),
        ),
      ],
    },
  ];
}

function renewals(): readonly GateCase[] {
  const handed = receiptWith(shown, { mode: 'offline', exp: issuedAt + 365 * 86_400 });
  return [
    built(
      'renewed',
      1,
      storedOf(old),
      check(
        at(),
        [verifies(saysBought), fetches(handedOut(next))],
        valid('online', endOf(next), { ...renewed, ...allowance }),
        storedOf(next, at()),
      ),
      check(at(), dead, valid('receipt', endOf(next), { ...renewed, ...allowance }), storedOf(next, at())),
    ),
    built(
      'renewed-over-an-offline-receipt',
      1,
      storedOf(handed),
      check(
        at(),
        [verifies(saysBought), fetches(handedOut(next))],
        valid('online', endOf(handed), { ...renewed, ...allowance }),
        storedOf(handed, at()),
      ),
      check(at(), dead, ended('receipt'), storedOf(handed, at())),
    ),
    built('accept-takes-a-receipt-that-ended', 1, null, {
      call: 'accept',
      now: at(),
      receipt: handed,
      exchanges: [],
      result: accepted(handed, shown),
      stored: storedOf(handed, at()),
    }),
  ];
}

function others(): readonly GateCase[] {
  const endless = receiptWith(bought);
  const word = { ...bought, updatesUntil: 'soon' };
  const none = receiptWith(word);
  const saysEnded = json(200, { valid: true, entitlement: shown });
  const noAccess = json(200, { valid: false, entitlement: { ...shown, status: 'expired' } });
  return [
    built(
      'no-end',
      1,
      storedOf(endless),
      check(at(), dead, valid('receipt', endOf(endless), bought), storedOf(endless, at())),
      check(at(), [verifies(saysBought)], valid('online', endOf(endless), bought), storedOf(endless, at())),
    ),
    built(
      'no-receipt',
      1,
      null,
      check(at(), [verifies(saysBought), fetches('closed')], valid('online', null, bought), storedOf(null, at())),
    ),
    built(
      'an-end-that-is-no-instant',
      1,
      storedOf(none),
      check(at(), dead, valid('receipt', endOf(none), word), storedOf(none, at())),
    ),
    built(
      'the-answer-alone-says-it',
      1,
      storedOf(endless),
      check(at(), [verifies(saysEnded)], ended('online'), storedOf(endless, at())),
    ),
    built(
      'over-comes-first',
      1,
      storedOf(old),
      check(at(14 * day), dead, invalid('receipt', 'expired', shown, at(14 * day)), storedOf(old, at(14 * day))),
      check(at(12 * day), dead, invalid('receipt', 'clock_set_back', shown, at(12 * day)), storedOf(old, at(14 * day))),
    ),
    built(
      'the-service-comes-first',
      1,
      storedOf(old),
      check(
        at(),
        [verifies(noAccess)],
        invalid('online', 'no_access', { ...shown, status: 'expired' }),
        storedOf(null),
      ),
      check(at(), [verifies(saysUnknown)], invalid('online', 'unknown'), 'unchanged'),
    ),
  ];
}
