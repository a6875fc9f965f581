import { expect } from 'chai';
import { aCall, aOneTimeGrant, day, hour } from '../../support/builders.ts';
import { MailedShop, publicUrl } from '../../support/mail/mailed-shop.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';

describe('the mails before access ends', () => {
  let at: MailedShop;
  const store = freshShop(MailedShop, (opened) => (at = opened));
  beforeEach(async () => {
    await at.setProduct({ mailEnding: true, mailKeys: false, accountUrl: 'https://sketchpad.example/account' });
    await at.start();
  });

  const call = () => aCall({ now: at.at.now });
  const subjects = (): readonly (string | undefined)[] => at.receiver.mails.map(({ parsed }) => parsed.subject);
  const ends = async (id: string): Promise<readonly string[]> =>
    (await at.mailsOf(id)).flatMap((mail) => (mail?.kind === 'ending' ? [mail.state] : []));

  /** The ids of the events that announce an end. */
  const announced = async (): Promise<readonly string[]> => {
    const { events } = await store().events.page('sketchpad', 0, 100, aCall());
    return events.flatMap(({ event }) => (event.type === 'entitlement.ending_soon' ? [event.id] : []));
  };

  /** Sells a month, which the buyer cancels, and moves the clock to two days before its end, 18 August. */
  const canceled = async (): Promise<string> => {
    const id = await at.subscribe();
    await at.at.shop.cancel(id);
    await at.lookAt(id);
    // Every event of the purchase is settled, with a mail or without, before it is old.
    await at.settle();
    at.wait(29 * day);
    return id;
  };

  /** Sells access for two days. No mail has announced its end yet. */
  const forTwoDays = async (): Promise<string> => {
    const id = await at.at.shop.purchase({ price: 'price_once' });
    const accessEndsAt = new Date(at.at.now.getTime() + 2 * day);
    const grant = aOneTimeGrant({ productId: 'sketchpad', accessEndsAt });
    await at.at.administration.grantEntitlement({ grant, id, licenseKey: null }, call());
    await at.settle();
    at.wait(hour);
    return id;
  };

  it('say it once, with the way to go on, and neither a key nor what changes something', async () => {
    const id = await canceled();
    await at.sweep();
    await at.settle();
    await at.sweep();
    await at.settle();
    const [mail] = at.receiver.mails;
    const [event] = await announced();
    expect(subjects()).to.deep.equal(['Your Sketchpad license ends on 18 August 2026']);
    expect(await ends(id)).to.deep.equal(['sent']);
    expect(mail?.parsed.messageId).to.equal(`<ending.${event}@${new URL(publicUrl).hostname}>`);
    expect(mail?.parsed.text)
      .to.include('It works until 18 August 2026, because it was canceled.')
      .and.include('https://sketchpad.example/account')
      .and.include(`${publicUrl}/license/lost`)
      .and.not.match(/LK-|links\//);
    expect(mail?.raw).to.match(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).to.not.match(/^List-Unsubscribe/im);
  });

  it('say it of a purchase that was for a time', async () => {
    const id = await forTwoDays();
    await at.sweep();
    await at.settle();
    expect(await ends(id)).to.deep.equal(['sent']);
    expect(subjects()).to.deep.equal(['Your Sketchpad license ends on 20 July 2026']);
  });

  it('say it again of another end: one that was resumed, and canceled once more', async () => {
    const id = await canceled();
    await at.sweep();
    await at.settle();
    await at.at.shop.undoCancellation(id);
    await at.lookAt(id);
    await at.at.shop.cancel(id);
    await at.lookAt(id);
    at.wait(hour);
    await at.sweep();
    await at.settle();
    expect(await ends(id)).to.deep.equal(['sent', 'sent']);
    expect(new Set(at.receiver.mails.map(({ parsed }) => parsed.messageId))).to.have.property('size', 2);
  });

  it('say it however long ago it was due, if it is still to come', async () => {
    const id = await canceled();
    await at.stop();
    // As where ENDING_SOON becomes longer: the event was due long before it is stored.
    await at.sweep(14 * day);
    await at.start();
    await at.settle();
    expect(await ends(id)).to.deep.equal(['sent']);
    expect(at.errors).to.deep.equal([]);
  });

  it('are not sent for a product that has not asked for them', async () => {
    await at.setProduct({ mailKeys: false });
    const id = await canceled();
    await at.sweep();
    await at.settle();
    expect(await ends(id)).to.deep.equal(['ending_not_mailed']);
    expect(at.receiver.connections).to.equal(0);
  });

  it('are not sent of trials and of payments that are missing, nor for what Stripe does not sell', async () => {
    const trial = await at.subscribe({ trialDays: 7 });
    const unpaid = await at.subscribe();
    const accessEndsAt = new Date(at.at.now.getTime() + 28 * day);
    const grant = aOneTimeGrant({ productId: 'sketchpad', accessEndsAt });
    await at.at.administration.grantEntitlement({ grant, id: 'ent_1', licenseKey: null }, call());
    await at.settle();
    at.wait(27 * day);
    await at.sweep(60 * day);
    await at.settle();
    expect(await announced()).to.have.length(3);
    for (const id of [trial, unpaid, 'ent_1']) expect(await ends(id)).to.deep.equal([]);
    expect(at.receiver.connections).to.equal(0);
  });

  const meanwhile: Readonly<Record<string, readonly [state: string, happens: (id: string) => Promise<unknown>]>> = {
    'was resumed': [
      'end_has_moved',
      async (id) => {
        await at.at.shop.undoCancellation(id);
        await at.lookAt(id);
      },
    ],
    'was renewed': [
      'end_has_moved',
      async (id) => {
        await at.at.shop.undoCancellation(id);
        await at.at.shop.renew(id);
        await at.lookAt(id);
      },
    ],
    'was suspended': [
      'end_has_moved',
      (id) => at.at.administration.runEntitlementCommand(id, { kind: 'suspend' }, call()),
    ],
    'was disputed': [
      'end_has_moved',
      async (id) => {
        await at.at.shop.dispute(id);
        await at.lookAt(id);
      },
    ],
    'was revoked': ['entitlement_ended', (id) => at.revoke(id)],
    'has ended': ['entitlement_ended', async () => at.wait(3 * day)],
  };
  for (const [what, [state, happens]] of Object.entries(meanwhile)) {
    it(`are not sent of what ${what} before they were`, async () => {
      const id = await canceled();
      await at.stop();
      await at.sweep();
      await happens(id);
      await at.start();
      await at.settle();
      expect(await ends(id)).to.deep.equal([state]);
      expect(at.receiver.connections).to.equal(0);
    });
  }

  it('leave neither an address nor a key in the store and in the log', async () => {
    const id = await canceled();
    await at.sweep();
    await at.settle();
    const kept = JSON.stringify([await at.stream(), at.logged, await at.mailsOf(id)]);
    expect(kept).to.not.match(/@(?!mail)/);
    expect(kept).to.not.include(await at.keyOf(id));
  });
});
