import { expect } from 'chai';
import { aCall, aOneTimeGrant, day, hour } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { ReceiverOptions } from '../../support/mail/mail-receiver.ts';
import { MailedShop, publicUrl } from '../../support/mail/mailed-shop.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';

const host = new URL(publicUrl).hostname;

describe('the mails that follow from sales at Stripe', () => {
  let at: MailedShop;
  const store = freshShop(MailedShop, (opened) => (at = opened));

  const subjects = (): readonly (string | undefined)[] => at.receiver.mails.map(({ parsed }) => parsed.subject);
  const ends = async (id: string): Promise<readonly unknown[]> =>
    (await at.mailsOf(id)).flatMap((mail) => (mail === null ? [] : [`${mail.kind} ${mail.state}`]));

  /** The id of the event with which a sale was granted. */
  const grantOf = async (id: string): Promise<string | undefined> => {
    const { events } = await store().events.page('sketchpad', 0, 10, aCall());
    return events.find(({ event }) => 'entitlement' in event && event.entitlement.id === id)?.event.id;
  };

  it('bring the key of a subscription and of a purchase to the address of the buyer', async () => {
    await at.start();
    const bought = [
      [await at.subscribe({ email: 'Ada@example.com', customerEmail: 'ada@now.example' }), 'ada@now.example'],
      [await at.purchase({ email: 'bo@example.com' }), 'bo@example.com'],
    ] as const;
    await at.settle();
    expect(at.receiver.mails).to.have.length(2);
    for (const [id, address] of bought) {
      const mail = at.receiver.mails.find(({ to }) => to[0] === address);
      const key = await at.keyOf(id);
      expect(mail?.parsed.text, address).to.include(key);
      expect(mail?.parsed.subject).to.not.include(key);
      expect(mail?.parsed.messageId).to.equal(`<grant.${await grantOf(id)}@${host}>`);
      expect(await ends(id)).to.deep.equal(['grant sent']);
    }
    expect(at.errors).to.deep.equal([]);
  });

  it('go to the customer where the checkout has no address, or there was none', async () => {
    await at.start();
    await at.subscribe({ email: null, customerEmail: 'ada@example.com' });
    await at.subscribe({ checkout: false, email: 'bo@example.com' });
    await at.settle();
    expect(at.receiver.mails.flatMap(({ to }) => to)).to.have.members(['ada@example.com', 'bo@example.com']);
  });

  it('are not sent where Stripe has no address, which the log says', async () => {
    await at.start();
    const id = await at.purchase({ email: null });
    await at.settle();
    expect(at.receiver.connections).to.equal(0);
    expect(await ends(id)).to.deep.equal(['grant no_address']);
    expect(at.errors.map(({ eventId }) => eventId)).to.deep.equal([await grantOf(id)]);
  });

  it('say that a key was replaced, without either key', async () => {
    await at.start();
    const id = await at.subscribe();
    await at.settle();
    const first = await at.keyOf(id);
    const keys = [first, await at.rotate(id), await at.rotate(id)];
    await at.settle();
    const notices = at.receiver.mails.slice(1);
    expect(notices.map(({ parsed }) => parsed.text?.match(/ended with (\S{4}),/)?.[1])).to.deep.equal(
      keys.slice(0, 2).map((key) => key.slice(-4)),
    );
    for (const { parsed } of notices) {
      for (const key of keys) expect(parsed.text).to.not.include(key);
      expect(parsed.text).to.include(`${publicUrl}/license/lost`);
      expect(parsed.messageId).to.match(new RegExp(`^<replaced\\.[^@]+@${host}>$`));
    }
    expect(await ends(id)).to.deep.equal(['replaced sent', 'replaced sent', 'grant sent']);
  });

  it('have no dead key: one that was replaced or revoked, or whose entitlement has ended, before it was mailed', async () => {
    await at.start();
    await at.stop();
    const replaced = await at.subscribe();
    await at.rotate(replaced);
    const revoked = await at.subscribe();
    await at.at.administration.revokeLicense(revoked, aCall({ now: at.at.now }));
    const ended = await at.subscribe();
    await at.rotate(ended);
    await at.revoke(ended);
    await at.start();
    await at.settle();
    expect(subjects()).to.deep.equal(['Your sketchpad license key was replaced']);
    expect(await ends(replaced)).to.deep.equal(['replaced sent', 'grant license_replaced']);
    expect(await ends(revoked)).to.deep.equal(['grant license_revoked']);
    expect(await ends(ended)).to.deep.equal(['replaced entitlement_ended', 'grant entitlement_ended']);
  });

  it('have no key that was replaced while its address was asked for', async () => {
    await at.start();
    await at.stop();
    const id = await at.subscribe();
    const held = at.at.shop.faults.hold('GET /v1/checkout/sessions/:id');
    await at.start();
    await held.arrived;
    await at.rotate(id);
    held.release();
    await at.settle();
    expect(subjects()).to.deep.equal(['Your sketchpad license key was replaced']);
  });

  it('leave out keys of a product that are not mailed, and tell of another key all the same', async () => {
    await at.setProduct({ mailKeys: false });
    await at.start();
    const id = await at.subscribe();
    await at.rotate(id);
    await at.settle();
    expect(subjects()).to.deep.equal(['Your Sketchpad license key was replaced']);
    expect(await ends(id)).to.deep.equal(['replaced sent', 'grant keys_not_mailed']);
  });

  it('are not sent for what was sold before mail was set up, for other grants, and for other changes', async () => {
    const before = await at.subscribe();
    await at.start();
    const grant = aOneTimeGrant({ productId: 'sketchpad' });
    for (const id of ['ent_1', 'sub_of_a_command']) {
      await at.at.administration.grantEntitlement({ grant, id, licenseKey: null }, aCall({ now: at.at.now }));
    }
    await at.rotate('ent_1');
    await at.at.shop.cancel(before);
    await at.lookAt(before);
    await at.settle();
    expect(at.receiver.connections).to.equal(0);
    expect(await ends(before)).to.deep.equal([]);
  });

  it('are tried again by the schedule under one id, and parked after the last attempt, until mail retry', async () => {
    at.receiver.options = { onRecipient: [450, '4.2.0 buyer@example.com is busy'] };
    await at.start();
    const id = await at.subscribe();
    for (let attempt = 1; attempt < 10; attempt += 1) await at.waitForAttempt(id, attempt);
    await at.fails(id, 10);
    expect(await at.isParked(id)).to.equal(true);
    expect(at.receiver.connections).to.equal(10);
    expect(at.errors).to.have.length(1);
    expect(at.errors[0]).to.include({ entitlementId: id, answer: '450 4.2.0' });
    expect(await ends(id)).to.deep.equal(['grant parked']);
    at.receiver.options = {};
    expect(await at.at.administration.retryMails(aCall({ now: at.at.now }))).to.equal(1);
    await at.settle();
    expect(at.receiver.mails).to.have.length(1);
    expect(await ends(id)).to.deep.equal(['grant sent']);
  });

  it('are parked if mail was off for three days, until mail retry', async () => {
    await at.start();
    await at.stop();
    const old = await at.subscribe();
    at.wait(2 * day);
    const young = await at.subscribe();
    at.wait(day + 1);
    await at.start();
    const sent = await eventually(
      () => ends(young),
      ([end]) => end === 'grant sent',
    );
    expect([sent, await at.isParked(old), at.receiver.mails.length]).to.deep.equal([['grant sent'], true, 1]);
    expect(at.errors).to.have.length(1);
    expect(at.errors[0]).to.include({ entitlementId: old, answer: 'too old' });
    expect(await at.at.administration.retryMails(aCall({ now: at.at.now }))).to.equal(1);
    await at.settle();
    expect(await ends(old)).to.deep.equal(['grant sent']);
  });

  it('are never sent after mail skip, which leaves out what is parked of an entitlement or of all', async () => {
    at.receiver.options = { onRecipient: [450, '4.2.0 busy'] };
    await at.start();
    await at.stop();
    const old = [await at.subscribe(), await at.subscribe(), await at.subscribe()];
    at.wait(3 * day + 1);
    const young = await at.subscribe();
    await at.start();
    await at.fails(young, 1);
    const { skipMails } = at.at.administration;
    const call = aCall({ now: at.at.now });
    const parked = () => Promise.all([...old, young].map((id) => at.isParked(id)));
    expect(await parked()).to.deep.equal([true, true, true, false]);
    expect([await skipMails(young, call), await skipMails('unknown', call)]).to.deep.equal([0, 0]);
    expect(await skipMails(old[1] ?? '', call)).to.equal(1);
    expect(await parked()).to.deep.equal([true, false, true, false]);
    expect([await skipMails(null, call), await skipMails(null, call)]).to.deep.equal([2, 0]);
    at.receiver.options = {};
    await at.at.administration.retryMails(call);
    await at.settle();
    expect([at.receiver.mails.length, await ends(young)]).to.deep.equal([1, ['grant sent']]);
  });

  it('are given up where the mailbox is unknown, which the log says', async () => {
    at.receiver.options = { onRecipient: [550, '5.1.1 buyer@example.com: no such user'] };
    await at.start();
    const id = await at.subscribe();
    await at.settle();
    expect(at.receiver.connections).to.equal(1);
    expect(await ends(id)).to.deep.equal(['grant refused']);
    expect(at.errors.map(({ entitlementId, code }) => [entitlementId, code])).to.deep.equal([[id, '550 5.1.1']]);
  });

  it('are parked in a store that was served long ago, as a backup is', async () => {
    await at.start();
    const sent = await at.subscribe();
    await at.settle();
    await at.stop();
    const old = await at.subscribe();
    await store().clockMarks.raise(at.at.now, aCall({ now: at.at.now }));
    at.wait(2 * hour);
    await at.watchClock();
    const young = await at.subscribe();
    await at.start();
    expect(
      await eventually(
        () => ends(young),
        ([end]) => end === 'grant sent',
      ),
    ).to.deep.equal(['grant sent']);
    expect([await at.isParked(old), at.receiver.mails.length, await ends(sent)]).to.deep.equal([
      true,
      2,
      ['grant sent'],
    ]);
    expect(at.errors[0]).to.include({ entitlements: 1 }).and.have.property('message').that.includes('mail retry');
    expect(await at.at.administration.retryMails(aCall({ now: at.at.now }))).to.equal(1);
    await at.settle();
    expect(at.receiver.mails).to.have.length(3);
  });
});

describe('a mail that does not arrive', () => {
  let at: MailedShop;
  freshShop(MailedShop, (opened) => (at = opened));
  beforeEach(async () => {
    await at.start();
  });

  const faults: Readonly<Record<string, ReceiverOptions>> = {
    'relaying is denied': { onRecipient: [550, '5.7.1 Relaying denied for buyer@example.com'] },
    'the mailbox is full': { onRecipient: [552, '5.2.2 buyer@example.com is full'] },
    'the server is busy': { onConnect: [421, '4.3.2 busy'] },
    'the sender is refused': { onMailFrom: [550, '5.1.1 keys@sketchpad.example'] },
    'the content is refused': { onMail: [550, '5.1.1 buyer@example.com'] },
    'the connection is cut before it is taken': { onRecipient: 'cut' },
    'the connection is cut instead of an answer': { onMail: 'cut' },
  };
  for (const [fault, options] of Object.entries(faults)) {
    it(`is tried again if ${fault}, with the same id`, async () => {
      at.receiver.options = options;
      const id = await at.subscribe();
      await at.waitForAttempt(id, 1);
      at.receiver.options = {};
      await at.settle();
      expect(at.receiver.mails).to.have.length(1);
      expect(at.errors).to.deep.equal([]);
    });
  }

  it('is tried again in half an hour if nobody knows whether the server has taken it, and says so', async () => {
    at.receiver.options = { onMail: 'cut' };
    const id = await at.subscribe();
    await at.waitForAttempt(id, 1);
    expect(at.receiver.transfers).to.equal(1);
    const stream = await at.stream();
    const [attempt] = stream?.attempts ?? [];
    expect(attempt?.reason).to.match(/^may have arrived \([a-z_]+\)$/);
    expect(stream?.pending.get(id)?.at?.getTime()).to.equal((attempt?.at.getTime() ?? 0) + 30 * 60_000);
    at.receiver.options = {};
    await at.settle();
    expect([at.receiver.mails.length, at.receiver.transfers]).to.deep.equal([1, 2]);
  });

  it('is tried again while Stripe does not answer, is asked again, or refuses the key', async () => {
    at.at.shop.expireKey();
    at.at.shop.faults.cut('GET /v1/checkout/sessions/:id');
    const { subscription } = await at.at.shop.subscribe({ price: 'price_pro' });
    at.at.shop.restoreKey();
    await at.lookAt(subscription);
    at.at.shop.expireKey();
    await at.waitForAttempt(subscription, 1);
    expect(at.receiver.connections).to.equal(0);
    at.at.shop.restoreKey();
    await at.settle();
    expect(at.receiver.mails).to.have.length(1);
  });

  it('leaves neither address nor key in the store, in a backup of it and in the log', async () => {
    const id = await at.subscribe();
    await at.rotate(id);
    await at.settle();
    const kept = JSON.stringify([await at.stream(), at.logged, await at.mailsOf(id)]);
    expect(kept).to.not.match(/@(?!mail)/);
    expect(kept).to.not.include(await at.keyOf(id));
  });
});
