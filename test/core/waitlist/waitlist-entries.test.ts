import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryWaitlist } from '../../../adapters/memory/memory-waitlist.ts';
import { cursorAt } from '../../../core/paging/cursor.ts';
import { everySignUp, joinWaitlist, listWaitlist } from '../../../core/waitlist/waitlist-entries.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { aCall, aSignUp, noon } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

describe('the list of the waitlist', () => {
  const signUps = range(450).map((number) => aSignUp({ email: `Ada-${1000 + number}@Example.com` }));
  let waitlist: MemoryWaitlist;

  beforeEach(async () => {
    waitlist = new MemoryWaitlist(new MemoryStore());
    for (const signUp of signUps.toReversed()) await waitlist.join(signUp);
  });

  it('has a page by address after each cursor, and no cursor after the last', async () => {
    const list = listWaitlist(waitlist);
    const first = await list(null, { after: null, limit: 200 }, aCall());
    const second = await list(null, { after: first.next, limit: 200 }, aCall());
    const third = await list(null, { after: second.next, limit: 50 }, aCall());
    expect([...first.items, ...second.items, ...third.items]).to.deep.equal(signUps);
    expect([first.items.length, second.items.length, third.next]).to.deep.equal([200, 200, null]);
  });

  it('has the entries with a role, on pages that look at two thousand at most', async () => {
    const brands = range(3).map((number) => aSignUp({ email: `Zoe-${number}@Example.com`, role: 'brand' }));
    const more = range(3000).map((number) => aSignUp({ email: `Bob-${1000 + number}@Example.com`, role: 'both' }));
    for (const signUp of [...more, ...brands]) await waitlist.join(signUp);
    const list = listWaitlist(waitlist);
    const found: (readonly [number, boolean])[] = [];
    const emails: string[] = [];
    let after: string | null = null;
    do {
      const { items, next } = await list('brand', { after, limit: 2 }, aCall());
      emails.push(...items.map(({ email }) => email));
      found.push([items.length, next === null]);
      after = next;
    } while (after !== null);
    expect(emails).to.deep.equal(brands.map(({ email }) => email));
    expect(found).to.deep.equal([
      [0, false],
      [2, false],
      [1, true],
    ]);
    const { next } = await list(null, { after: null, limit: 1 }, aCall());
    expect((await refusalOf(list('brand', { after: next, limit: 1 }, aCall()))).code).to.equal('invalid_parameter');
  });

  it('refuses a cursor of another list', async () => {
    const refused = await refusalOf(listWaitlist(waitlist)(null, { after: 'PWE', limit: 1 }, aCall()));
    expect(refused.code).to.equal('invalid_parameter');
  });

  it('has cursors of its own, and others for each role', async () => {
    const list = listWaitlist(waitlist);
    const { next } = await list(null, { after: null, limit: 1 }, aCall());
    expect(next).to.equal(cursorAt(['waitlist'], ['ada-1000@example.com']));
    const ofRole = cursorAt(['waitlist of a role', 'creator'], ['ada-1000@example.com']);
    expect((await list('creator', { after: null, limit: 1 }, aCall())).next).to.equal(ofRole);
    for (const [role, after] of [
      ['creator', next],
      [null, ofRole],
      ['brand', ofRole],
    ] as const)
      expect((await refusalOf(list(role, { after, limit: 1 }, aCall()))).code).to.equal('invalid_parameter');
  });

  it('is walked over in slices', async () => {
    expect(await Array.fromAsync(everySignUp(waitlist)(aCall))).to.deep.equal(signUps);
  });
});

const { at: _, ...ada } = aSignUp({ email: 'Ada@Example.com' });

describe('joinWaitlist', () => {
  let waitlist: MemoryWaitlist;
  beforeEach(() => {
    waitlist = new MemoryWaitlist(new MemoryStore());
  });

  it('stores a sign-up with the instant of the call', async () => {
    await joinWaitlist(waitlist)(ada, aCall());
    expect(await waitlist.page(null, 9)).to.deep.equal([{ ...ada, at: noon }]);
  });

  it('refuses an address that no mail reaches, and stores nothing', async () => {
    const { code } = await refusalOf(joinWaitlist(waitlist)({ ...ada, email: 'ada@127.0.0.1' }, aCall()));
    expect(code).to.equal('invalid_email');
    expect(await waitlist.page(null, 9)).to.deep.equal([]);
  });

  it('answers once the sign-up is stored', async () => {
    const broken = failing<Waitlist>(waitlist, { method: 'join', nth: 1, when: 'after' });
    expect(await thrownBy(joinWaitlist(broken)(ada, aCall()))).to.be.instanceOf(InjectedFault);
  });
});
