import { expect } from 'chai';
import type { Invitation, WaitlistEntry } from '../../core/waitlist/invitation.ts';
import { aCall, aSignUp, day, later, noon } from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { signUpsIn } from '../support/stores/whole-lists.ts';
import { thrownBy } from '../support/thrown.ts';

function anInvitation(overrides: Partial<Invitation> = {}): Invitation {
  const products = ['prod_1', 'prod_2'];
  const scopes = ['admin:read', 'admin:catalog'] as const;
  return { digest: 'digest-1', products, scopes, expiresAt: later(day), invitedBy: 'operator:opk_1', ...overrides };
}

export function waitlistContract(open: OpenStore): void {
  describe('Waitlist', () => {
    const store = freshStore(open);

    it('stores every member of a sign-up', async () => {
      const bare = aSignUp({ email: 'bare@example.com', name: null, handle: null, role: null });
      await store().waitlist.join(bare, aCall());
      await store().waitlist.join(aSignUp(), aCall());
      expect(await listed()).to.deep.equal([aSignUp(), bare]);
    });

    it('keeps the first entry of an address, whatever the case of a later one', async () => {
      await store().waitlist.join(aSignUp(), aCall());
      await store().waitlist.join(
        aSignUp({ email: 'ADA@example.COM', name: 'Eve', role: 'brand', at: later(1) }),
        aCall(),
      );
      expect(await listed()).to.deep.equal([aSignUp()]);
    });

    it('keeps one entry of forty sign-ups at once, in different cases', async () => {
      const racers = range(40).map((number) =>
        aSignUp({ email: number % 2 === 0 ? 'ada@example.com' : 'ADA@EXAMPLE.COM', name: String(number) }),
      );
      await beside(store(), async (other) => {
        const joins = racers.map((signUp, number) => (number < 20 ? store() : other).waitlist.join(signUp, aCall()));
        await Promise.all(joins);
      });
      const entries = await listed();
      expect(entries.length).to.equal(1);
      expect(racers).to.deep.include(entries[0]);
    });

    for (const when of moments) {
      it(`keeps the first entry if a sign-up fails ${when} it takes effect and is retried`, async () => {
        const waitlist = failing(store().waitlist, { method: 'join', nth: 1, when });
        expect(await thrownBy(waitlist.join(aSignUp(), aCall()))).to.be.instanceOf(InjectedFault);
        await waitlist.join(aSignUp(), aCall());
        expect(await listed()).to.deep.equal([aSignUp()]);
      });
    }

    it('finds the entry of an address in every spelling, and of no other', async () => {
      await store().waitlist.join(aSignUp(), aCall());
      expect(await store().waitlist.find('ADA@EXAMPLE.com', aCall())).to.deep.equal(aSignUp());
      expect(await store().waitlist.find('ada@example.co', aCall())).to.equal(null);
    });

    it('lists by address in code-point order', async () => {
      const lowerCase = inCodePointOrder.filter((text) => text === text.toLowerCase());
      const joined = lowerCase.map((domain) => aSignUp({ email: `ada@${domain}` }));
      for (const signUp of joined.toReversed()) await store().waitlist.join(signUp, aCall());
      expect(await listed()).to.deep.equal(joined);
    });

    it('lists page by page', async () => {
      const joined = range(250).map((number) => aSignUp({ email: `${1000 + number}@example.com` }));
      for (let end = joined.length; end > 0; end -= 50) {
        await Promise.all(joined.slice(end - 50, end).map((signUp) => store().waitlist.join(signUp, aCall())));
      }
      expect(await listed()).to.deep.equal(joined);
      expect(await store().waitlist.page('1000@example.com', 2, aCall())).to.deep.equal(joined.slice(1, 3));
      expect(await store().waitlist.page('1248@example.com', 9, aCall())).to.deep.equal(joined.slice(249));
      expect(await store().waitlist.page('1249@example.com', 9, aCall())).to.deep.equal([]);
    });

    it('erases an entry once, whatever the case of the address', async () => {
      await store().waitlist.join(aSignUp(), aCall());
      expect(await store().waitlist.erase('ada@EXAMPLE.com', aCall())).to.equal(1);
      expect(await store().waitlist.erase('ada@EXAMPLE.com', aCall())).to.equal(0);
      expect(await listed()).to.deep.equal([]);
    });

    it('replaces the invitation of an entry that is as it was seen, and finds it by its digest', async () => {
      await store().waitlist.join(aSignUp(), aCall());
      const invited = aSignUp({ invitedAt: noon, invitation: anInvitation() });
      expect(await store().waitlist.replace(aSignUp(), invited, aCall())).to.equal('replaced');
      expect(await store().waitlist.findInvited('digest-1', aCall())).to.deep.equal(invited);
      expect(await listed()).to.deep.equal([invited]);
      const again = aSignUp({ invitedAt: later(1), invitation: anInvitation({ digest: 'digest-2' }) });
      expect(await store().waitlist.replace(invited, again, aCall())).to.equal('replaced');
      expect(await store().waitlist.findInvited('digest-1', aCall())).to.equal(null);
      const taken = aSignUp({ invitedAt: later(1) });
      expect(await store().waitlist.replace(again, taken, aCall())).to.equal('replaced');
      expect(await store().waitlist.findInvited('digest-2', aCall())).to.equal(null);
      expect(await store().waitlist.find('ada@example.com', aCall())).to.deep.equal(taken);
    });

    it('replaces nothing that is other than it was seen, was erased or is unknown', async () => {
      const { waitlist } = store();
      const invited = aSignUp({ invitedAt: noon, invitation: anInvitation() });
      expect(await waitlist.replace(aSignUp(), invited, aCall())).to.equal('stale');
      await waitlist.join(aSignUp(), aCall());
      for (const seen of [invited, aSignUp({ invitedAt: noon }), aSignUp({ at: later(1) })]) {
        expect(await waitlist.replace(seen, invited, aCall())).to.equal('stale');
      }
      await waitlist.replace(aSignUp(), invited, aCall());
      expect(await waitlist.replace(aSignUp(), aSignUp(), aCall())).to.equal('stale');
      await waitlist.join(aSignUp({ name: 'Eve' }), aCall());
      expect(await listed()).to.deep.equal([invited]);
      await waitlist.erase('ada@example.com', aCall());
      expect(await waitlist.findInvited('digest-1', aCall())).to.equal(null);
      expect(await waitlist.replace(invited, aSignUp(), aCall())).to.equal('stale');
      expect(await listed()).to.deep.equal([]);
    });

    it('lets one of twenty replacements at once win', async () => {
      const invited = aSignUp({ invitedAt: noon, invitation: anInvitation() });
      await store().waitlist.join(aSignUp(), aCall());
      await store().waitlist.replace(aSignUp(), invited, aCall());
      await beside(store(), async (other) => {
        const outcomes = await Promise.all(
          range(20).map((number) =>
            (number < 10 ? store() : other).waitlist.replace(invited, aSignUp({ invitedAt: noon }), aCall()),
          ),
        );
        expect(outcomes.filter((outcome) => outcome === 'replaced')).to.have.length(1);
      });
    });

    for (const when of moments) {
      it(`leaves an entry as it was or as it is asked for if a replacement fails ${when} it takes effect`, async () => {
        await store().waitlist.join(aSignUp(), aCall());
        const invited = aSignUp({ invitedAt: noon, invitation: anInvitation() });
        const waitlist = failing(store().waitlist, { method: 'replace', nth: 1, when });
        expect(await thrownBy(waitlist.replace(aSignUp(), invited, aCall()))).to.be.instanceOf(InjectedFault);
        const outcome = await waitlist.replace(aSignUp(), invited, aCall());
        expect(outcome).to.equal(when === 'before' ? 'replaced' : 'stale');
        expect(await listed()).to.deep.equal([invited]);
      });
    }

    function listed(): Promise<readonly WaitlistEntry[]> {
      return signUpsIn(store());
    }
  });
}
