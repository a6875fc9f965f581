import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryWaitlist } from '../../../adapters/memory/memory-waitlist.ts';
import { joinWaitlist } from '../../../core/waitlist/join-waitlist.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { aCall, aSignUp, noon } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

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
