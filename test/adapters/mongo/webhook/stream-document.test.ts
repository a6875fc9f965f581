import { expect } from 'chai';
import { fromStreamDocument, toStreamDocument } from '../../../../adapters/mongo/webhook/mongo-delivery-streams.ts';
import { anAttempt, aStream } from '../../../support/webhooks/builders.ts';

describe('a document of a delivery stream', () => {
  it('has no attempts if an earlier release wrote it', () => {
    const { attempts: _, ...earlier } = toStreamDocument(aStream({ attempts: [anAttempt()] }));
    expect(fromStreamDocument(earlier)).to.deep.equal(aStream());
  });
});
