import { expect } from 'chai';
import { nearestName } from '../../../../adapters/cli/input/unknown-names.ts';

const names = ['id', 'name', 'slug', 'state', 'grace', 'periodEnd', 'commissionPercent'];

describe('the nearest name', () => {
  const near = {
    Name: 'name',
    ID: 'id',
    'period-end': 'periodEnd',
    period_end: 'periodEnd',
    ' slug': 'slug',
    nmae: 'name',
    sluug: 'slug',
    status: 'state',
    priodEnd: 'periodEnd',
    comissionPercentt: 'commissionPercent',
  };
  for (const [misspelt, name] of Object.entries(near)) {
    it(`to ${JSON.stringify(misspelt)} is ${name}`, () => expect(nearestName(misspelt, names)).to.equal(name));
  }

  for (const other of ['', 'url', 'date', 'notes', 'is', 'email', 'commission', 'start', 'periodStart', 'gold', 'ix']) {
    it(`to ${JSON.stringify(other)} does not exist`, () => expect(nearestName(other, names)).to.equal(null));
  }
});
