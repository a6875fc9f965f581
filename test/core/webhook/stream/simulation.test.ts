import { expect } from 'chai';
import * as fc from 'fast-check';
import { newStream, pendingCount, type DeliveryStream } from '../../../../core/webhook/stream/delivery-stream.ts';
import {
  due,
  maxInFlight,
  mayRead,
  read,
  readSize,
  type DueDelivery,
} from '../../../../core/webhook/stream/due-deliveries.ts';
import { recordAttempt } from '../../../../core/webhook/stream/record-attempt.ts';
import { afterCommand, takenBack, wakes, type WaitingDelivery } from '../../../../core/webhook/stream/set-aside.ts';
import { retried } from '../../../../core/webhook/stream/stream-commands.ts';
import { hour, later } from '../../../support/builders.ts';
import { placed } from '../../../support/webhooks/builders.ts';

/** The events in the life of a receiver and its senders, in hours of virtual time. */
interface Scenario {
  /** The entitlement of each event of the log. */
  readonly log: readonly string[];
  readonly outages: readonly (readonly [from: number, hours: number])[];
  /** Positions that the receiver refuses until a day before the end. */
  readonly poison: ReadonlySet<number>;
  /** Steps after which the sender dies, with what it did since its last write. */
  readonly deaths: ReadonlySet<number>;
  /** Steps from one write of the state to the next. */
  readonly writeEvery: number;
  readonly jitters: readonly number[];
}

const end = 24 * 30;

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  log: fc.array(
    fc.integer({ min: 0, max: 12 }).map((number) => `ent_${number}`),
    { minLength: 1, maxLength: 250 },
  ),
  outages: fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 30 })), { maxLength: 3 }),
  poison: fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 4 }).map((list) => new Set(list)),
  deaths: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 20 }).map((list) => new Set(list)),
  writeEvery: fc.integer({ min: 1, max: 6 }),
  jitters: fc
    .array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 9 })
    .map((list) => list.map((one) => one / 100)),
});

/** The positions that the receiver has accepted, in order, and the maximum of what was pending. */
interface Outcome {
  readonly accepted: readonly number[];
  readonly maxPending: number;
  readonly last: DeliveryStream;
}

/**
 * Runs a sender over virtual time: at each step it reads, sends what is due, and now and then writes its state. Time
 * jumps by a quarter of an hour.
 */
function run(scenario: Scenario): Outcome {
  const { log, outages, poison, deaths, writeEvery, jitters } = scenario;
  const events = log.map((id, index) => placed(index + 1, id));
  const accepted: number[] = [];
  const rows = new Map<string, WaitingDelivery>();
  let stored = newStream({ endpointId: 'whk_1', addition: 'add_1', productId: 'prod_1' }, 0);
  let state = stored;
  /** The ids that were taken back since the last write. */
  const taken = new Set<string>();
  const takeBack = (ids: readonly string[]): void => {
    const found = [...rows].filter(([id]) => ids.includes(id) && !taken.has(id));
    state = takenBack(state, new Map(found));
    for (const [id] of found) taken.add(id);
  };
  const write = (now: Date): void => {
    const { stream, changes } = afterCommand(state, taken, now);
    for (const [id, row] of changes.put) rows.set(id, row);
    for (const id of changes.remove) rows.delete(id);
    taken.clear();
    state = stream;
    stored = state;
  };
  let maxPending = 0;
  const isAccepted = (position: number, hours: number): boolean => {
    if (outages.some(([from, length]) => hours >= from && hours < from + length)) return false;
    return hours > end - 24 || !poison.has(position);
  };
  const settleOne = (delivery: DueDelivery, hours: number, step: number): void => {
    const isOk = isAccepted(delivery.position, hours);
    if (isOk) accepted.push(delivery.position);
    const jitter = jitters[step % jitters.length] ?? 0;
    const attempt = isOk
      ? ({ kind: 'delivered' } as const)
      : ({ kind: 'failed', jitter, retryAfter: null, whenDown: 'probe' } as const);
    state = recordAttempt(state, delivery, attempt, later(hours * hour)).stream;
  };
  for (let step = 0; step <= end * 4; step += 1) {
    const hours = step / 4;
    const now = later(hours * hour);
    if (hours === end - 12) {
      write(now);
      state = retried(state, now);
      for (const [id, row] of rows) rows.set(id, { ...row, attempt: 0, at: now });
    }
    if (wakes(state, now)) {
      const dueRows = [...rows].filter(
        ([id, { at }]) => !taken.has(id) && at !== null && (at <= now || state.probe !== null),
      );
      takeBack(dueRows.map(([id]) => id));
    }
    if (mayRead(state)) {
      const page = events.slice(state.cursor, state.cursor + readSize);
      takeBack(page.map(({ event }) => event.entitlement.id).filter((id) => !state.pending.has(id)));
      state = read(state, page, () => true, now);
    }
    // Due deliveries are sent again and again within a step, until none is left.
    for (let batch = due(state, new Set(), now); batch.length > 0; batch = due(state, new Set(), now)) {
      expect(batch.length).to.be.at.most(maxInFlight);
      for (const delivery of batch) settleOne(delivery, hours, step);
    }
    maxPending = Math.max(maxPending, pendingCount(state));
    if (deaths.has(step)) {
      state = stored;
      taken.clear();
    } else if (step % writeEvery === 0) write(now);
  }
  return { accepted, maxPending, last: state };
}

/** Of repeated positions, the first: what a receiver that drops repeats keeps. */
function withoutRepeats(positions: readonly number[]): readonly number[] {
  return [...new Set(positions)];
}

describe('a delivery stream over a month with outages, poison and senders that die', () => {
  it('delivers every event at least once, and those of one entitlement in order', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { accepted, last } = run(scenario);
        const { log } = scenario;
        const all = log.map((_, index) => index + 1);
        expect([...withoutRepeats(accepted)].toSorted((a, b) => a - b)).to.deep.equal(all);
        expect([pendingCount(last), last.cursor]).to.deep.equal([0, log.length]);
        const byEntitlement = Map.groupBy(withoutRepeats(accepted), (position) => log[position - 1]);
        for (const positions of byEntitlement.values()) {
          expect(positions).to.deep.equal(positions.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('repeats nothing while its sender lives', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { accepted } = run({ ...scenario, deaths: new Set() });
        expect(accepted).to.have.length(scenario.log.length);
      }),
      { numRuns: 60 },
    );
  });

  it('lets one poisoned entitlement hold up its own events and no others', () => {
    const log = Array.from({ length: 200 }, (_, index) => `ent_${index % 10}`);
    const outages = [] as const;
    const { accepted } = run({ log, outages, poison: new Set([1]), deaths: new Set(), writeEvery: 1, jitters: [0.5] });
    const others = log.map((_, index) => index + 1).filter((position) => log[position - 1] !== 'ent_0');
    expect(accepted.slice(0, others.length).toSorted((a, b) => a - b)).to.deep.equal(others);
  });
});
