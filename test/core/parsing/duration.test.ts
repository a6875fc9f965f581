import { expect } from 'chai';
import { maxDuration, parseDuration } from '../../../core/parsing/duration.ts';

describe('a duration', () => {
  it('is a whole number with its unit', () => {
    const texts = ['0s', '90s', '5m', '24h', '007d', '36500d'];
    expect(texts.map(parseDuration)).to.deep.equal([0, 90_000, 300_000, 86_400_000, 604_800_000, maxDuration]);
  });

  it('has at most fifteen digits', () => {
    expect(['1s'.padStart(16, '0'), '1s'.padStart(17, '0')].map(parseDuration)).to.deep.equal([1000, null]);
  });

  for (const text of [
    '',
    'h',
    '24',
    '24 h',
    ' 24h',
    '24h ',
    '-1h',
    '+1h',
    '1.5h',
    '1e3s',
    '24H',
    '1w',
    '1h30m',
    '36501d',
    '٣h',
    '9'.repeat(16) + 's',
  ]) {
    it(`is not "${text}"`, () => {
      expect(parseDuration(text)).to.equal(null);
    });
  }
});
