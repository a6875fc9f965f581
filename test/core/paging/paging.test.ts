import { expect } from 'chai';
import { cursorAt, positionIn, type ListName } from '../../../core/paging/cursor.ts';
import { pageOf } from '../../../core/paging/page.ts';
import { walk } from '../../../core/paging/walk.ts';
import { aCall } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

const list: ListName = ['things', 'prod_1', null];

describe('a page', () => {
  it('has the next cursor only if there was more than its limit', () => {
    expect(pageOf(['a', 'b', 'c'], { after: null, limit: 2 }, afterOf)).to.deep.equal({
      items: ['a', 'b'],
      next: 'after b',
    });
    expect(pageOf(['a', 'b'], { after: null, limit: 2 }, afterOf)).to.deep.equal({ items: ['a', 'b'], next: null });
    expect(pageOf([], { after: null, limit: 2 }, afterOf)).to.deep.equal({ items: [], next: null });
  });
});

describe('a cursor', () => {
  const positions = [['a'], ['1784376000000', 'key_1'], ['?>~~~ÿ & = % 🎉', ''], ['']];

  it('is opaque text of A-Z a-z 0-9 - _, and has the position', () => {
    for (const position of positions) {
      const cursor = cursorAt(list, position);
      expect(cursor).to.match(/^[A-Za-z0-9_-]+$/);
      expect(positionIn(list, cursor)).to.deep.equal(position);
    }
  });

  it('continues no other list, and none with other filters', () => {
    const others: readonly ListName[] = [
      ['others', 'prod_1', null],
      ['things', 'prod_2', null],
      ['things', null, null],
      ['things', 'prod_1', ''],
      ['things', 'prod_1'],
    ];
    for (const other of others) expect(() => positionIn(other, cursorAt(list, ['a']))).to.throw('invalid_parameter');
  });

  it('is refused if it was not made for a list', async () => {
    const cursor = cursorAt(list, ['a']);
    for (const text of ['', '!', 'x', `${cursor}A`, `${cursor}=`, cursor.slice(1), btoa('=%'), btoa('=things')]) {
      expect(() => positionIn(list, text), text).to.throw('invalid_parameter');
    }
    const message = 'after must be the next of the page before, of the same list.';
    expect(await refusalOf(read(''))).to.deep.equal({ code: 'invalid_parameter', details: { message } });
  });
});

describe('a walk', () => {
  for (const [count, reads] of [
    [0, [null]],
    [199, [null]],
    [200, [null, 199]],
    [401, [null, 199, 399]],
  ] as const) {
    it(`over ${count} items reads slices of 200, each with a call of its own`, async () => {
      const calls = new Set<unknown>();
      const after: (number | null)[] = [];
      const items = walk(async (last: number | null, limit, call) => {
        calls.add(call);
        after.push(last);
        return range(count).slice(last === null ? 0 : last + 1, (last === null ? 0 : last + 1) + limit);
      }, aCall);
      expect(await Array.fromAsync(items)).to.deep.equal(range(count));
      expect(after).to.deep.equal(reads);
      expect(calls.size).to.equal(reads.length);
    });
  }
});

function afterOf(last: string): string {
  return `after ${last}`;
}

async function read(cursor: string): Promise<readonly string[]> {
  return positionIn(list, cursor);
}
