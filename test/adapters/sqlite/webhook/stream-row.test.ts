import { expect } from 'chai';
import { fromStreamRow, toStreamRow } from '../../../../adapters/sqlite/webhook/sqlite-delivery-streams.ts';
import { range } from '../../../support/range.ts';
import { anAttempt, aStream } from '../../../support/webhooks/builders.ts';

describe('a row of a delivery stream', () => {
  it('has no attempts if an earlier release wrote it', () => {
    const row = toStreamRow(aStream({ attempts: [anAttempt()] }));
    const { attempts: _, ...earlier } = JSON.parse(row.state);
    expect(fromStreamRow({ ...row, state: JSON.stringify(earlier) })).to.deep.equal(aStream());
  });

  it('grows by less than 1.5 KB with all the attempts that are kept', () => {
    const eventId = `evt_${'x'.repeat(22)}`;
    const attempts = range(20).map(() => anAttempt({ eventId, position: 999_999_999, durationMs: 15_000 }));
    const growth = toStreamRow(aStream({ attempts })).state.length - toStreamRow(aStream()).state.length;
    expect(growth).to.be.below(1500);
  });
});
