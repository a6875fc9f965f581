import { expect } from 'chai';
import { toStreamRow } from '../../../../adapters/sqlite/webhook/sqlite-delivery-streams.ts';
import { range } from '../../../support/range.ts';
import { anAttempt, aStream } from '../../../support/webhooks/builders.ts';

describe('a row of a delivery stream', () => {
  it('grows by less than 1.5 KB with all the attempts that are kept', () => {
    const eventId = `evt_${'x'.repeat(22)}`;
    const attempts = range(20).map(() => anAttempt({ eventId, position: 999_999_999, durationMs: 15_000 }));
    const growth = toStreamRow(aStream({ attempts })).state.length - toStreamRow(aStream()).state.length;
    expect(growth).to.be.below(1500);
  });
});
