import { expect } from 'chai';
import { aCall, aSignUp } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

atEachDoor('the commands about the waitlist', (door) => {
  it('erase the entry of an address in any case, once, and log no address', async () => {
    await door().ports.waitlist.join(aSignUp(), aCall());
    for (const erased of [1, 0]) {
      expect(await door().run('waitlist erase', { email: 'ADA@example.com' })).to.deep.equal({ erased });
    }
    expect(door().changes()).to.deep.equal([{ command: 'waitlist erase', entries: 1 }]);
  });
});
