import { expect } from 'chai';
import {
  isDrafter,
  isOperatorScope,
  maxProducts,
  productsRule,
  reachOf,
  type OperatorScope,
} from '../../../../core/key/operator/operator-key.ts';
import { range } from '../../../support/range.ts';

describe('isOperatorScope', () => {
  it('is true for scopes of operator keys alone', () => {
    const scopes = ['admin:read', 'admin:access', 'read:entitlements', ''].map(isOperatorScope);
    expect(scopes).to.deep.equal([true, true, false, false]);
  });
});

describe('productsRule', () => {
  const { parse, read } = productsRule;
  const most = range(maxProducts).map((number) => `prod_${10 + number}`);

  it('takes 1 to 20 ids, each once and in order', () => {
    expect(parse('prod_2  prod_1\nprod_2')).to.deep.equal(['prod_1', 'prod_2']);
    expect(read(['prod_2', 'prod_1', 'prod_2'])).to.deep.equal(['prod_1', 'prod_2']);
    for (const list of [['prod_1'], most]) expect(read(list)).to.deep.equal(list);
    expect(read([...most, ...most])).to.deep.equal(most);
    expect(productsRule.rule).to.equal('must be 1 to 20 ids of products');
  });

  it('refuses what is no such list', () => {
    for (const text of ['', ' prod_1', 'prod_1 pröd']) expect(parse(text), text).to.equal(null);
    for (const member of [[], [...most, 'prod_1'], ['prod_1', 1], [1], ['prod_1', ' '], 'prod_1', null]) {
      expect(read(member), JSON.stringify(member)).to.equal(null);
    }
  });
});

describe('reachOf', () => {
  it('is every product for a key without products, and none but its own for another', () => {
    expect(reachOf({ products: null })).to.equal(null);
    expect(reachOf({ products: ['prod_1'] })).to.deep.equal(new Set(['prod_1']));
  });
});

describe('isDrafter', () => {
  const samples: readonly (readonly [readonly string[] | null, readonly OperatorScope[], boolean])[] = [
    [['prod_1'], ['admin:entitlements'], true],
    [['prod_1'], ['admin:read', 'admin:entitlements'], true],
    [['prod_1'], ['admin:entitlements', 'admin:catalog'], false],
    [['prod_1'], ['admin:read'], false],
    [null, ['admin:entitlements'], false],
  ];
  for (const [products, scopes, expected] of samples) {
    it(`is ${expected} for a key with ${scopes.join(' ')} for ${products?.join(' ') ?? 'every product'}`, () => {
      expect(isDrafter({ products, scopes })).to.equal(expected);
    });
  }
});
