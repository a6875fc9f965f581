import { expect } from 'chai';
import * as fc from 'fast-check';
import { setNextEventsSql } from '../../../../adapters/sqlite/engine/migrations/009-events.ts';
import { setUntoldEndsSql } from '../../../../adapters/sqlite/engine/migrations/entitlements/018-ending-soon.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { nextTransition } from '../../../../core/entitlement/event/change-record.ts';
import { unannouncedEndAfter } from '../../../../core/entitlement/event/ending-soon.ts';
import { aCall, granted, noon } from '../../../support/builders.ts';
import { entitlementsOfEarlierSchemas, span } from '../../../support/random-entitlements.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('the migration of a SQLite file to events', () => {
  const file = sqliteFile();

  it('finds the next change by the clock as the core does', async () => {
    const now = new Date();
    const made = fc
      .sample(entitlementsOfEarlierSchemas, 3000)
      .map((each, index) => around(now, { ...each, id: `ent_${index}` }));
    await file().allEntitlements.add(granted(made), aCall());
    file().database.connection.exec(`UPDATE entitlements SET next_event_at = 1; ${setNextEventsSql}`);
    const expected = new Map(made.map((each) => [each.id, nextTransition(each, now)]));
    const page = await file().allEntitlements.page(
      { productId: null, reference: null, after: null, limit: 4000 },
      aCall(),
    );
    expect(new Map(page.map(({ id, nextEventAt }) => [id, nextEventAt]))).to.deep.equal(expected);
    const kinds = new Set([...expected.values()].map((at) => at === null));
    expect(kinds.size).to.equal(2);
  });

  it('finds the end that no event has announced as the core does', async () => {
    const now = new Date();
    const made = fc
      .sample(entitlementsOfEarlierSchemas, 3000)
      .map((each, index) => around(now, { ...each, id: `ent_${index}` }));
    await file().allEntitlements.add(granted(made), aCall());
    file().database.connection.exec(setUntoldEndsSql);
    const expected = new Map(made.map((each) => [each.id, unannouncedEndAfter(each, false, each, now)]));
    const page = await file().allEntitlements.page(
      { productId: null, reference: null, after: null, limit: 4000 },
      aCall(),
    );
    expect(new Map(page.map(({ id, unannouncedEnd }) => [id, unannouncedEnd]))).to.deep.equal(expected);
    expect(new Set([...expected.values()].map((at) => at === null)).size).to.equal(2);
  });

  it('finds those ends, and what is due, by an index', () => {
    const { connection } = file().database;
    const plans = [
      "SELECT * FROM entitlements WHERE untold_end <= 5 AND hold = 'none' ORDER BY untold_end LIMIT 9",
      'SELECT * FROM entitlements WHERE next_event_at <= 5 ORDER BY next_event_at LIMIT 9',
    ].map((query) => connection.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all());
    expect(plans.map((steps) => steps.map(({ detail }) => detail))).to.deep.equal([
      ['SEARCH entitlements USING INDEX entitlements_untold_end (untold_end<?)'],
      ['SEARCH entitlements USING INDEX entitlements_next_event (next_event_at<?)'],
    ]);
  });
});

/** Spreads the milliseconds of a random entitlement to days around an instant, and half a day away from it. */
function around(now: Date, entitlement: Entitlement): Entitlement {
  if (entitlement.kind === 'one_time') return entitlement;
  const move = (at: Date): Date =>
    new Date(now.getTime() + (at.getTime() - noon.getTime() - span / 3 + 0.5) * 86_400_000);
  const { currentPeriodEnd, graceUntil, cancellation } = entitlement;
  return {
    ...entitlement,
    currentPeriodEnd: move(currentPeriodEnd),
    graceUntil: move(graceUntil),
    cancellation: cancellation && { ...cancellation, at: move(cancellation.at) },
  };
}
