import { expect } from 'chai';
import * as fc from 'fast-check';
import { setNextEventsSql } from '../../../../adapters/sqlite/engine/migrations/009-events.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { nextTransition } from '../../../../core/entitlement/event/change-record.ts';
import { aCall, granted, noon } from '../../../support/builders.ts';
import { entitlements, span } from '../../../support/random-entitlements.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('the migration of a SQLite file to events', () => {
  const file = sqliteFile();

  it('finds the next change by the clock as the core does', async () => {
    const now = new Date();
    const made = fc.sample(entitlements, 3000).map((each, index) => around(now, { ...each, id: `ent_${index}` }));
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
