import { expect } from 'chai';
import { deadlineIn } from '../../core/call.ts';

describe('a deadline', () => {
  it('is as far away as its clock says, and in the past afterwards', () => {
    let now = 1000;
    const deadline = deadlineIn(50, () => now);
    const left = [1000, 1049, 1050, 1060].map((instant) => {
      now = instant;
      return deadline.remaining();
    });
    expect(left).to.deep.equal([50, 1, 0, -10]);
  });
});
