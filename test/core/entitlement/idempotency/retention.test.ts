import { expect } from 'chai';
import { expiredAt, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { day, hour, later } from '../../../support/builders.ts';

describe('retention', () => {
  it('keeps a thousand records of an entitlement for the time promised and an hour', () => {
    expect(retentionFor(day)).to.deep.equal({ milliseconds: 25 * hour, recordsPerEntitlement: 1000 });
  });

  it('has expired for records as old as it is long', () => {
    expect(expiredAt(retentionFor(day), later(25 * hour + 3))).to.deep.equal(later(3));
  });
});
