import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Channel, type OtherProcess } from '../../../app/workers/channel.ts';

interface Functions {
  add(first: number, second: number): number;
  wait(): Promise<void>;
  fail(): void;
}

function end(own: EventEmitter, other: EventEmitter): OtherProcess {
  return {
    send: (messages) => setImmediate(() => other.emit('message', structuredClone(messages))) !== null,
    on: (event, listener) => own.on(event, listener),
  };
}

/** Two ends of a channel. What one sends, the other gets. */
function aPair(): readonly [OtherProcess, OtherProcess] {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  return [end(here, there), end(there, here)];
}

describe('a channel between two processes', () => {
  const faults: unknown[] = [];
  let caller: Channel<Functions>;

  beforeEach(() => {
    faults.length = 0;
    const [here, there] = aPair();
    const own: Functions = {
      add: (first, second) => first + second,
      wait: () => new Promise(() => {}),
      fail: () => {
        throw new Error('a text that may hold a key');
      },
    };
    caller = new Channel<Functions>(here, {}, () => undefined);
    const callee = new Channel<object>(there, own, (fault) => faults.push(fault));
    expect(callee).to.be.instanceOf(Channel);
  });

  it('carries calls and answers, however many wait', async () => {
    expect(await Promise.all([caller.call('add', 1, 2), caller.call('add', 3, 4)])).to.deep.equal([3, 7]);
  });

  it('rejects a call that fails, and leaves the reason in the process that knows it', async () => {
    expect(await messageOf(caller.call('fail'))).to.equal(
      'another process of the server failed; its log line says why',
    );
    expect(faults.map(String)).to.deep.equal(['Error: a text that may hold a key']);
  });

  it('rejects the calls that wait, and all later ones, once the other process has ended', async () => {
    const waiting = messageOf(caller.call('wait'));
    caller.close();
    const ended = 'another process of the server has ended';
    expect([await waiting, await messageOf(caller.call('add', 1, 2))]).to.deep.equal([ended, ended]);
  });
});

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}
