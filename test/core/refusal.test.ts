import { expect } from 'chai';
import { Refusal } from '../../core/refusal.ts';

describe('Refusal', () => {
  it('has its code, its details, and the cause for the log', () => {
    const cause = new Error('connection reset');
    const refusal = new Refusal('store_unavailable', { cause });
    const { code, message, details } = refusal;
    expect({ code, message, details }).to.deep.equal({
      code: 'store_unavailable',
      message: 'store_unavailable',
      details: { cause },
    });
    expect(refusal.cause).to.equal(cause);
  });
});
