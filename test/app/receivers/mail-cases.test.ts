import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import { recordMailCases } from '../../../core/mail/mail-cases.ts';
import { aCall, day } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { MailedShop } from '../../support/mail/mailed-shop.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';

const unknownMailbox = [550, '5.1.1 buyer@example.com: no such user'] as const;

describe('the sales whose mails need a person', () => {
  let at: MailedShop;
  const store = freshShop(MailedShop, (opened) => (at = opened));
  beforeEach(async () => {
    await at.start();
  });

  const call = (): Call => aCall({ now: at.at.now });
  const administration = () =>
    administrationOf(store(), nodePlatform, { loadMail: mailTakenBy(async () => ({ outcome: 'sent' })) });
  const search = (): Promise<void> => recordMailCases(store())(call);
  /** The cases of a sale after the next search. */
  const casesOf = async (id: string): Promise<readonly unknown[]> => {
    await search();
    return (await store().stripeCases.find(id, call())).map(({ kind, since, detail }) => [kind, detail, since]);
  };

  const refused = async (): Promise<string> => {
    at.receiver.options = { onRecipient: unknownMailbox };
    const id = await at.subscribe();
    await at.settle();
    at.receiver.options = {};
    return id;
  };

  it('are those whose mailbox the server does not know, whatever a look finds', async () => {
    const id = await refused();
    const found = ['mail_refused', 'grant refused', at.at.now];
    expect(await casesOf(id)).to.deep.equal([found]);
    at.wait(day);
    await at.lookAt(id);
    expect(await casesOf(id)).to.deep.equal([found]);
  });

  it('are those of which Stripe has no address', async () => {
    const id = await at.purchase({ email: null });
    await at.settle();
    expect(await casesOf(id)).to.deep.equal([['mail_refused', 'grant no_address', at.at.now]]);
  });

  it('are those whose notice was refused, for what it was', async () => {
    const id = await at.subscribe();
    await at.settle();
    at.receiver.options = { onRecipient: unknownMailbox };
    await at.rotate(id);
    await at.settle();
    expect(await casesOf(id)).to.deep.equal([['mail_refused', 'replaced refused', at.at.now]]);
  });

  const settledBy: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'a mail that was made there': (entitlementId) =>
      administration().mailLicense({ entitlementId, to: 'ada@example.com', what: 'link', licenseKey: null }, call()),
    'a link that was made there': (entitlementId) =>
      administration().createSupportLink(
        { entitlementId, expires: null },
        { ...call(), products: new Set(['sketchpad']) },
      ),
    'another key': async (id) => {
      await at.rotate(id);
      await at.settle();
    },
    'its end': (id) => at.revoke(id),
    'mail skip': (id) => administration().skipMails(id, call()),
    'mail skip of all': () => administration().skipMails(null, call()),
  };
  for (const [what, happens] of Object.entries(settledBy)) {
    it(`are settled by ${what}`, async () => {
      const [id, other] = [await refused(), await refused()];
      await happens(id);
      expect(await casesOf(id)).to.deep.equal([]);
      expect(await casesOf(other)).to.have.length(what === 'mail skip of all' ? 0 : 1);
    });
  }

  it('are not settled by a mail that was not sent', async () => {
    const id = await refused();
    const failing = administrationOf(store(), nodePlatform, {
      loadMail: mailTakenBy(async () => ({ outcome: 'failed', code: 'timeout' })),
    });
    await failing
      .mailLicense({ entitlementId: id, to: 'ada@example.com', what: 'link', licenseKey: null }, call())
      .catch(() => null);
    expect(await casesOf(id)).to.have.length(1);
  });

  const settledLater: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'it is sent': async () => {
      await administration().retryMails(call());
      await at.settle();
    },
    'mail skip': (id) => administration().skipMails(id, call()),
  };
  for (const [what, happens] of Object.entries(settledLater)) {
    it(`are those whose mail is parked, since it was asked for, until ${what}`, async () => {
      await at.stop();
      const since = at.at.now;
      const id = await at.subscribe();
      at.wait(3 * day + 1);
      const young = await at.subscribe();
      await at.start();
      await eventually(
        () => at.mailsOf(young),
        ([mail]) => mail?.state === 'sent',
      );
      for (const _ of [1, 2]) expect(await casesOf(id)).to.deep.equal([['mail_parked', 'grant', since]]);
      expect(await casesOf(young)).to.deep.equal([]);
      await happens(id);
      expect(await casesOf(id)).to.deep.equal([]);
    });
  }
});
