import { expect } from 'chai';
import { LostKeys, type LostEnd, type LostReport } from '../../../app/receivers/lost-keys.ts';
import type { LostKeysRequest, LostKeysResult } from '../../../core/mail/lost/mail-lost-keys.ts';
import { aCall, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

const minute = 60_000;

/** A queue whose clock is moved by hand, and whose mails end when the test says so. */
class MovedQueue {
  readonly keys: LostKeys;
  readonly mailed: LostKeysRequest[] = [];
  readonly reports: (readonly [outcome: LostReport['outcome'], isLast: boolean])[] = [];
  readonly #ends: ((result: LostKeysResult) => void)[] = [];
  #now = 0;
  #timers: { readonly at: number; readonly act: () => void }[] = [];
  #ids = 0;

  constructor() {
    this.keys = new LostKeys({
      mail: (request) => {
        this.mailed.push(request);
        return new Promise((resolve) => this.#ends.push(resolve));
      },
      fingerprint: (address) => `hmac of ${address}`,
      newId: () => String((this.#ids += 1)),
      newCall: () => aCall(),
      report: ({ outcome }, { isLast }: LostEnd) => this.reports.push([outcome, isLast]),
      monotonicClock: () => this.#now,
      after: (milliseconds, act) => {
        const timer = { at: this.#now + milliseconds, act };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
    });
  }

  ask(email: string): Promise<number | null> {
    return this.keys.ask(email, 'request-1');
  }

  move(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now).toSorted((a, b) => a.at - b.at);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { act } of due) act();
  }

  /** Ends the mails that run. */
  async end(result: LostKeysResult): Promise<void> {
    for (const end of this.#ends.splice(0)) end(result);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const failed: LostKeysResult = { outcome: 'failed', code: '421' };

describe('the requests for lost keys of a server', () => {
  let queue: MovedQueue;

  beforeEach(() => {
    queue = new MovedQueue();
  });

  it('are answered before anything is looked up, and looked up two at a time', async () => {
    for (const index of range(5)) expect(await queue.ask(`buyer-${index}@example.com`)).to.equal(null);
    expect(queue.mailed).to.have.length(0);
    queue.move(1000);
    expect(queue.mailed).to.have.length(2);
    await queue.end({ outcome: 'unknown' });
    expect(queue.mailed).to.have.length(4);
    await queue.end({ outcome: 'sent' });
    await queue.end({ outcome: 'sent' });
    expect(queue.mailed.map(({ email }) => email)).to.deep.equal(range(5).map((index) => `buyer-${index}@example.com`));
    expect(queue.reports.map(([outcome]) => outcome)).to.deep.equal(['unknown', 'unknown', 'sent', 'sent', 'sent']);
  });

  it('are three an hour for an address, in whichever case, known or not', async () => {
    const waits: (number | null)[] = [];
    for (const email of ['Ada@example.com', 'ada@example.com', 'ADA@EXAMPLE.COM', 'ada@Example.com']) {
      waits.push(await queue.ask(email));
    }
    expect(waits.slice(0, 3)).to.deep.equal([null, null, null]);
    expect(waits[3]).to.equal(60 * minute);
    expect(await queue.ask('bo@example.com')).to.equal(null);
    queue.move(60 * minute - 1);
    expect(await queue.ask('ada@example.com')).to.equal(1);
    queue.move(1);
    expect(await queue.ask('ada@example.com')).to.equal(null);
  });

  it('are those of operators too, which are taken once for an id, and counted with those of buyers', async () => {
    const desk = (id: string, entitlementId = 'sub_1'): Promise<void> =>
      queue.keys.askAtDesk({ email: 'ada@example.com', id, entitlementId }, aCall());
    await desk('mail-1');
    await desk('mail-1');
    expect(await queue.ask('Ada@example.com')).to.equal(null);
    await desk('mail-2');
    expect(await queue.ask('ada@example.com')).to.equal(60 * minute);
    const { code, details } = await refusalOf(desk('mail-3'));
    const retryAt = new Date(noon.getTime() + 60 * minute);
    expect([code, details.retryAt]).to.deep.equal(['rate_limited', retryAt]);
    await desk('mail-2');
    queue.move(1000);
    await queue.end({ outcome: 'sent' });
    await queue.end({ outcome: 'sent' });
    expect(queue.mailed.map(({ id }) => id)).to.deep.equal(['mail-1', '1', 'mail-2']);
  });

  it('are tried three times in ten minutes, under one id', async () => {
    await queue.ask('ada@example.com');
    for (const pause of [100, minute, 5 * minute, 10 * minute]) {
      queue.move(pause);
      await queue.end(failed);
    }
    expect(queue.mailed).to.have.length(3);
    expect(new Set(queue.mailed.map(({ id }) => id)).size).to.equal(1);
    expect(queue.reports).to.deep.equal([
      ['failed', false],
      ['failed', false],
      ['failed', true],
    ]);
  });

  it('are over where a mailbox is unknown', async () => {
    await queue.ask('ada@example.com');
    queue.move(100);
    await queue.end({ outcome: 'refused', code: '550 5.1.1' });
    queue.move(60 * minute);
    expect([queue.mailed.length, queue.reports]).to.deep.equal([1, [['refused', true]]]);
  });

  it('are a thousand that wait, with those that wait for their next attempt', async () => {
    await queue.ask('first@example.com');
    queue.move(100);
    await queue.end(failed);
    for (const index of range(999)) expect(await queue.ask(`buyer-${index}@example.com`)).to.equal(null);
    expect(await queue.ask('one-too-many@example.com')).to.equal(minute);
  });

  it('count for an address only if they are taken, so that a full queue keeps nothing of those that come', async () => {
    for (const index of range(1000)) await queue.ask(`buyer-${index}@example.com`);
    for (const _ of range(5)) expect(await queue.ask('ada@example.com')).to.equal(minute);
    queue.move(100);
    await queue.end({ outcome: 'sent' });
    for (const _ of range(2)) expect(await queue.ask('ada@example.com')).to.equal(null);
  });

  it('end with the first attempt that would begin after ten minutes', async () => {
    for (const index of range(3)) await queue.ask(`buyer-${index}@example.com`);
    queue.move(100);
    queue.move(10 * minute);
    await queue.end({ outcome: 'sent' });
    expect(queue.mailed).to.have.length(2);
    expect(queue.reports).to.deep.include(['failed', true]);
  });

  it('are lost when the server stops', async () => {
    await queue.ask('ada@example.com');
    queue.keys.stop();
    queue.move(60 * minute);
    expect(queue.mailed).to.have.length(0);
  });
});
