import { expect } from 'chai';
import { pooled, seededBytes } from '../../../adapters/crypto/node-secrets.ts';
import { range } from '../../support/range.ts';

describe('pooled random bytes', () => {
  it('are those of the source, each handed out once', () => {
    const source = seededBytes('a test');
    const bytes = pooled(seededBytes('a test'));
    const handedOut = range(8).flatMap(() => [...bytes(500)]);
    expect(handedOut).to.deep.equal([...source(4096)].slice(0, 4000));
    expect([...bytes(200)]).to.deep.equal([...source(4096)].slice(0, 200));
  });

  it('can be more than a pool has', () => {
    expect(pooled(seededBytes('a test'))(5000)).to.have.length(5000);
  });
});
