import { expect } from 'chai';
import {
  fromStoredAnswer,
  isAccepted,
  maxAttempts,
  storedAnswer,
  withAttempt,
  type DeliveryAttempt,
} from '../../../../core/webhook/stream/delivery-attempt.ts';
import { range } from '../../../support/range.ts';
import { anAttempt } from '../../../support/webhooks/builders.ts';

describe('the attempts that a stream keeps', () => {
  it('are the last twenty, the last to end first', () => {
    const all = range(25).map((position) => anAttempt({ position }));
    const kept = all.reduce<readonly DeliveryAttempt[]>((before, attempt) => withAttempt(before, attempt), []);
    expect([maxAttempts, kept]).to.deep.equal([20, all.toReversed().slice(0, 20)]);
  });

  it('have a status or a reason, which are stored as one value', () => {
    for (const answer of [
      { status: 204, reason: null },
      { status: 0, reason: null },
      { status: null, reason: 'no answer in time' },
    ]) {
      expect(fromStoredAnswer(storedAnswer(answer))).to.deep.equal(answer);
    }
    expect([storedAnswer({ status: 503, reason: null }), storedAnswer({ status: null, reason: 'none' })]).to.deep.equal(
      [503, 'none'],
    );
  });

  it('have taken the event with a status of success', () => {
    const statuses = [null, 0, 199, 200, 204, 299, 300, 410, 503];
    expect(statuses.filter((status) => isAccepted({ status }))).to.deep.equal([200, 204, 299]);
    expect(storedAnswer({ status: null, reason: null })).to.equal('');
  });
});
