import { expect } from 'chai';
import { fromArchivedStream, toArchivedStream } from '../../../core/copy/archive.port.ts';
import type { PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { later } from '../../support/builders.ts';
import { aStream } from '../../support/webhooks/builders.ts';

describe('an archived stream', () => {
  it('has its pending events as a list, in their order', () => {
    const first: PendingEvents = { positions: [7, 9], attempt: 1, at: later(5) };
    const second: PendingEvents = { positions: [8], attempt: 10, at: null };
    const stream = aStream({
      cursor: 9,
      pending: new Map([
        ['b', first],
        ['a', second],
      ]),
    });
    const archived = {
      ...stream,
      pending: [
        ['b', first],
        ['a', second],
      ],
      effects: [],
    };
    expect(toArchivedStream(stream)).to.deep.equal(archived);
    expect(fromArchivedStream(toArchivedStream(stream))).to.deep.equal(stream);
  });
});
