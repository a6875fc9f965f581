import { expect } from 'chai';
import { linkTimePattern } from '../../../../adapters/http/operations/docs/link-schemas.ts';
import { linkTimeRule } from '../../../../core/buyer/buyer-link.ts';

describe('the times of a link in the document', () => {
  it('are those that are taken, of every number and unit', () => {
    const pattern = new RegExp(linkTimePattern);
    for (let amount = 0; amount <= 90_000; amount++) {
      for (const unit of ['s', 'm', 'h', 'd', '', 'w']) {
        const time = `${amount}${unit}`;
        const taken = linkTimeRule.parse(time) !== null;
        if (pattern.test(time) !== taken) expect.fail(`${time} is ${taken ? '' : 'not '}taken`);
      }
    }
  });
});
