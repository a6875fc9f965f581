import { expect } from 'chai';
import {
  defaultTtl,
  expiredAt,
  minTtl,
  retentionAt,
  retentionFor,
  roomAt,
} from '../../../../core/entitlement/idempotency/retention.ts';
import { day, hour, later } from '../../../support/builders.ts';

describe('retention', () => {
  it('keeps a thousand records of an entitlement for the promised time and an hour', () => {
    expect(retentionFor(day)).to.deep.equal({ milliseconds: 25 * hour, recordsPerEntitlement: 1000 });
  });

  it('is promised for a day at least, and for three by default', () => {
    expect([minTtl, defaultTtl]).to.deep.equal([day, 3 * day]);
  });

  it('is the own one, or the maximum of the promises under which a record can be live', () => {
    const own = retentionFor(day);
    const short = { milliseconds: hour, until: later(99 * day) };
    const [long, longer] = [40, 50].map((hours) => ({ milliseconds: hours * hour, until: later(hour) }));
    if (long === undefined || longer === undefined) throw new Error('a promise is missing');
    expect(retentionAt(own, [], later(0))).to.deep.equal(own);
    expect(retentionAt(own, [short], later(0))).to.deep.equal(own);
    const hours = [0, 41 * hour - 1, 41 * hour, 51 * hour - 1, 51 * hour].map(
      (now) => retentionAt(own, [short, long, longer], later(now)).milliseconds / hour,
    );
    expect(hours).to.deep.equal([50, 50, 50, 50, 25]);
    const alone = [41 * hour - 1, 41 * hour].map((now) => retentionAt(own, [long], later(now)).milliseconds / hour);
    expect(alone).to.deep.equal([40, 25]);
  });

  it('expires a record at its exact age', () => {
    expect(expiredAt(retentionFor(day), later(25 * hour + 3))).to.deep.equal(later(3));
  });

  it('has room for another record when the oldest one expires', () => {
    expect(roomAt(retentionFor(day), [later(5), later(3), later(4)])).to.deep.equal(later(25 * hour + 3));
  });
});
