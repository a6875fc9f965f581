import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { compareDevices, deviceIdRule, deviceOf, deviceRule, type Device } from '../../../core/device/device.ts';
import { decideRelease, defaultSeats, isIdle, isOffline, seatsOf, seenInterval } from '../../../core/device/seats.ts';
import { day, hour, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';

const settings = { idle: 90 * day, releases: 4 };

const decide = (releasesUntil: Date | null, deviceLimit: number | null = 1, releases = 4, now = noon) =>
  decideRelease({ releasesUntil }, deviceLimit, { ...settings, releases }, now);

describe('the allowance of releases', () => {
  it('lets each seat be released four times in thirty days, and then as it refills', () => {
    let releasesUntil: Date | null = null;
    for (const number of range(4)) {
      const decision = decide(releasesUntil);
      expect(decision).to.deep.equal({ kind: 'allowed', releasesUntil: later((number + 1) * 7.5 * day) });
      if (decision.kind === 'allowed') releasesUntil = decision.releasesUntil;
    }
    expect(decide(releasesUntil)).to.deep.equal({ kind: 'refused', retryAt: later(7.5 * day) });
    expect(decide(releasesUntil, 1, 4, later(7.5 * day - 1)).kind).to.equal('refused');
    expect(decide(releasesUntil, 1, 4, later(7.5 * day))).to.deep.equal({
      kind: 'allowed',
      releasesUntil: later(37.5 * day),
    });
  });

  it('saves nothing up beyond the period', () => {
    expect(decide(later(-300 * day))).to.deep.equal({ kind: 'allowed', releasesUntil: later(7.5 * day) });
  });

  it('grows with the number of seats', () => {
    expect(decide(null, 3)).to.deep.equal({ kind: 'allowed', releasesUntil: later(2.5 * day) });
    expect(decide(null, 7, 4)).to.deep.equal({
      kind: 'allowed',
      releasesUntil: later(Math.floor((30 * day) / 28)),
    });
  });

  it('is endless without a limit of devices, and none at 0 releases', () => {
    expect(decide(later(90 * day), null)).to.deep.equal({ kind: 'allowed', releasesUntil: later(90 * day) });
    expect(decide(null, null, 0)).to.deep.equal({ kind: 'allowed', releasesUntil: null });
    expect(decide(null, 1, 0)).to.deep.equal({ kind: 'refused', retryAt: later(30 * day) });
  });
});

describe('a seat', () => {
  it('is one of those that the limit allows, or of ten thousand', () => {
    expect([seatsOf(3), seatsOf(0), seatsOf(null)]).to.deep.equal([3, 0, 10_000]);
  });

  it('is idle 90 days after it was last seen, where nobody says otherwise', () => {
    expect(defaultSeats).to.deep.equal({ idle: 90 * day, releases: 4 });
    const seen = { seenAt: noon };
    expect([later(90 * day - 1), later(90 * day)].map((now) => isIdle(seen, settings, now))).to.deep.equal([
      false,
      true,
    ]);
  });

  it('notes a use each day, and more often where seats are idle soon', () => {
    const intervals = [90 * day, 10 * day, 10 * hour].map((idle) => seenInterval({ idle, releases: 4 }));
    expect(intervals).to.deep.equal([day, day, hour]);
  });

  it('is held by an offline receipt until its end', () => {
    const held = [null, later(-1), noon, later(1)].map((offlineUntil) => isOffline({ offlineUntil }, noon));
    expect(held).to.deep.equal([false, false, false, true]);
  });
});

describe('the names of a device', () => {
  it('are 8 to 128 printable characters for the app', () => {
    const long = 'x'.repeat(128);
    for (const [text, read] of [
      ['laptop-1', 'laptop-1'],
      [' laptop-1\n', 'laptop-1'],
      ['!aptop-~', '!aptop-~'],
      [long, long],
      ['laptop1', null],
      [`${long}x`, null],
      ['lap top-1', null],
      ['laptop-é', null],
      ['laptop-\u007f', null],
    ] as const)
      expect(deviceIdRule.parse(text), text).to.equal(read);
    expect(deviceIdRule.rule).to.include('8 to 128 printable');
  });

  it('are others for each entitlement, and show nothing of what the app calls it', () => {
    const own = deviceOf('ent_1', 'laptop-0001', digest);
    expect(deviceRule.parse(own)).to.equal(own);
    expect(own).not.to.include('laptop');
    expect(deviceOf('ent_1', 'laptop-0001', digest)).to.equal(own);
    const others = [deviceOf('ent_2', 'laptop-0001', digest), deviceOf('ent_1', 'laptop-0002', digest)];
    expect(new Set([own, ...others])).to.have.property('size', 3);
    for (const text of [
      `${own}a`,
      own.slice(0, -1),
      `x${own}`,
      own.slice(4),
      own.replace('dev_', 'ent_'),
      `dev_${'!'.repeat(22)}`,
    ])
      expect(deviceRule.parse(text), text).to.equal(null);
    expect(deviceRule.rule).to.include('"dev_" and 22 characters');
  });

  it('are in the order of their last use, and then of their ids', () => {
    const one: Device = { id: 'b', name: null, activatedAt: noon, seenAt: noon, offlineUntil: null };
    const [a, b, c] = [one, { ...one, id: 'a', seenAt: later(1) }, { ...one, id: 'c', seenAt: later(1) }];
    for (const given of [
      [a, b, c],
      [c, b, a],
      [b, c, a],
    ])
      expect(given.toSorted(compareDevices)).to.deep.equal([a, b, c]);
    expect(compareDevices(a, a)).to.equal(0);
  });
});
