import { expect } from 'chai';
import { fromBody, toBody } from '../../../../adapters/sqlite/event/event-row.ts';
import { anEvent, aSubscription } from '../../../support/builders.ts';

describe('the body of an event in a SQLite file', () => {
  it('keeps how many intervals a period has', () => {
    const event = anEvent(aSubscription({ billingIntervalCount: 3 }), { previous: { billingIntervalCount: 1 } });
    expect(fromBody('prod_1', toBody(event))).to.deep.equal(event);
  });

  it('that release 0.1.0 has written allows any number of devices, and no feature', () => {
    const event = anEvent(aSubscription());
    const body = JSON.parse(toBody(event)) as readonly unknown[];
    const facts = (body.at(-1) as readonly unknown[]).slice(0, -6);
    expect(fromBody('prod_1', JSON.stringify([...body.slice(0, -1), facts]))).to.deep.equal(event);
  });
});
