import { expect } from 'chai';
import { expiredAt, retentionFor, roomAt } from '../../../../core/entitlement/idempotency/retention.ts';
import { day, hour, later } from '../../../support/builders.ts';

describe('retention', () => {
  it('keeps a thousand records of an entitlement for the promised time and an hour', () => {
    expect(retentionFor(day)).to.deep.equal({ milliseconds: 25 * hour, recordsPerEntitlement: 1000 });
  });

  it('expires a record at its exact age', () => {
    expect(expiredAt(retentionFor(day), later(25 * hour + 3))).to.deep.equal(later(3));
  });

  it('has room for another record when the oldest one expires', () => {
    expect(roomAt(retentionFor(day), [later(5), later(3), later(4)])).to.deep.equal(later(25 * hour + 3));
  });
});
