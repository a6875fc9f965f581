import { expect } from 'chai';
import { fromLogEntry, toBatchOfOne } from '../../../../adapters/mongo/event/event-document.ts';
import { anEvent, aSubscription, noon } from '../../../support/builders.ts';

const placed = { productId: 'prod_1', position: 1, storedAt: noon };

describe('an event on MongoDB', () => {
  it('keeps no count of one interval', () => {
    const event = anEvent(aSubscription());
    const [entry] = toBatchOfOne({ ...placed, event }).events;
    expect(entry).not.to.have.property('times');
    expect(entry && fromLogEntry(entry, 'prod_1', 1).event).to.deep.equal(event);
  });
});
