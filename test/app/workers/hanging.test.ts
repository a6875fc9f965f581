import { expect } from 'chai';
import { hangs } from '../../../app/workers/heartbeat.ts';

describe('the limits of a worker that hangs', () => {
  it('is 20 signs of life for one that listens', () => {
    expect(hangs({ isStarting: false, asked: 1000, missed: 20 })).to.equal(false);
    expect(hangs({ isStarting: false, asked: 1000, missed: 21 })).to.equal(true);
  });

  it('is 30 signs of life for one that starts, and a time in which it must listen', () => {
    expect(hangs({ isStarting: true, asked: 90, missed: 30 })).to.equal(false);
    expect(hangs({ isStarting: true, asked: 31, missed: 31 })).to.equal(true);
    expect(hangs({ isStarting: true, asked: 91, missed: 0 })).to.equal(true);
  });
});
