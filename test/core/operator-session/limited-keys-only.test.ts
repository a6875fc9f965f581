import { expect } from 'chai';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import { limitedKeysOnly, limitedSessionsOnly } from '../../../core/operator-session/limited-keys-only.ts';
import { aCall, anOperatorKey, anOperatorSession } from '../../support/builders.ts';
import { refusalOf } from '../../support/thrown.ts';

const whole = anOperatorKey();
const limited = anOperatorKey({ id: 'opk_2', products: ['prod_1'] });
const ofNone = anOperatorKey({ id: 'opk_3', products: [] });
const keys: ReadonlyMap<string, OperatorKey> = new Map([whole, limited, ofNone].map((key) => [key.id, key]));

describe('what only keys with some products may enter', () => {
  it('takes such keys, and knows no others', async () => {
    const enter = limitedKeysOnly(async (presented) => keys.get(presented) ?? whole);
    for (const key of [limited, ofNone]) expect(await enter(key.id, aCall())).to.equal(key);
    expect((await refusalOf(enter('opk_1', aCall()))).code).to.equal('invalid_operator_key');
  });

  it('finds the sessions of such keys, and no others', async () => {
    const find = limitedSessionsOnly(async (token) => {
      const operatorKey = keys.get(token);
      return operatorKey === undefined ? null : { session: anOperatorSession(), operatorKey };
    });
    const found = await Promise.all(['opk_1', 'opk_2', 'opk_3', 'opk_9'].map((token) => find(token, aCall())));
    expect(found.map((open) => open?.operatorKey)).to.deep.equal([undefined, limited, ofNone, undefined]);
    expect(found[3]).to.equal(null);
  });
});
