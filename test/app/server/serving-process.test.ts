import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { aborted } from '../../../app/server/serving-process.ts';
import { heapInUse } from '../../support/heap.ts';

describe('waiting for the signal to stop', () => {
  it('ends for all who wait for one signal, whatever the garbage collector has done', async () => {
    const stopping = new AbortController();
    const stopped: string[] = [];
    void aborted(stopping.signal).then(() => stopped.push('first'));
    void aborted(stopping.signal).then(() => stopped.push('second'));
    await nextTurn(); // what this turn has referred to stays until its end
    heapInUse();
    stopping.abort();
    await nextTurn();
    expect(stopped).to.have.members(['first', 'second']);
  });

  it('is over if the signal has been aborted before', async () => {
    await aborted(AbortSignal.abort());
  });
});
