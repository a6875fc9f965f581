import { expect } from 'chai';
import { fromKeyRingDocument } from '../../../../adapters/mongo/receipt/key-ring-document.ts';
import { fromKeyRingRow, toKeyRingRow } from '../../../../adapters/sqlite/receipt/key-ring-row.ts';
import type { KeyRing } from '../../../../core/receipt/key-ring.ts';
import { noon } from '../../../support/builders.ts';

const pair = { x: 'x', y: 'y', d: 'd' };
const ring: KeyRing = {
  revision: 1,
  active: { state: 'active', kid: 'one', ...pair, createdAt: noon, activeAt: noon, offlineUntil: null },
  next: { state: 'next', kid: 'two', ...pair, createdAt: noon },
  past: [],
};
const { d: _, ...withoutPrivateHalf } = ring.active;

const damaged: Readonly<Record<string, object>> = {
  'nothing in it': {},
  'no next key': { ...ring, next: undefined },
  'no private half of the active key': { ...ring, active: withoutPrivateHalf },
  'no past keys': { ...ring, past: undefined },
};

describe('the record of the signing keys', () => {
  it('is read as it was stored', () => {
    expect(fromKeyRingRow(toKeyRingRow(ring, 'latchkey'))).to.deep.equal(ring);
    expect(fromKeyRingDocument({ _id: 'latchkey', ...ring })).to.deep.equal(ring);
  });

  for (const [what, content] of Object.entries(damaged)) {
    it(`is damaged with ${what}`, () => {
      const row = { id: 'latchkey', revision: 1, ring: JSON.stringify(content) };
      expect(() => fromKeyRingRow(row)).to.throw('the record of the signing keys is damaged');
      expect(() => fromKeyRingDocument({ _id: 'latchkey', ...content } as never)).to.throw('damaged');
    });
  }

  it('is damaged as null', () => {
    expect(() => fromKeyRingRow({ id: 'latchkey', revision: 1, ring: 'null' })).to.throw('damaged');
  });
});
