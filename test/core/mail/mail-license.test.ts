import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { createLink } from '../../../core/buyer/manage-links.ts';
import { createSupportLink } from '../../../core/buyer/support-link.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { mailKeys, type DeskMail } from '../../../core/mail/lost/mail-keys.ts';
import { mailLostKeys } from '../../../core/mail/lost/mail-lost-keys.ts';
import { mailLicense, testMail, type LicenseMailRequest, type MailParts } from '../../../core/mail/mail-license.ts';
import type { OutgoingMail } from '../../../core/mail/mail-sender.port.ts';
import type { LoadMail } from '../../../core/mail/mail.ts';
import { aCall, aLicense, aSubscription, day, granted, later, noon } from '../../support/builders.ts';
import { factsIn, MailedSales, readableWriter } from '../../support/mail/mailed-sales.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const ownKey = 'a key of the owner’s making';
const hex16 = '[0-9a-f]{16}';

describe('mails to buyers', () => {
  const store = freshStore(memory.open);
  let sales: MailedSales;
  let loadMail: LoadMail;
  let parts: MailParts;

  beforeEach(async () => {
    sales = await MailedSales.open(store());
    loadMail = async () => sales.mail();
    const create = createLink(store().buyerLinks, () => 't'.repeat(43), digest);
    parts = {
      loadMail: () => loadMail(),
      randomBytes: nodePlatform.randomBytes,
      entitlements: store().allEntitlements,
      history: store().entitlementHistory,
      products: store().products,
      createLink: createSupportLink(create, store().allEntitlements, () => 'https://latchkey.test'),
      cases: store().stripeCases,
      isSold: sales.isSold,
      addresses: sales,
      readKey: sales.readKey,
      digest,
    };
  });

  const last = (): OutgoingMail => {
    const mail = sales.sent.at(-1);
    if (mail === undefined) throw new Error('nothing was sent');
    return mail;
  };

  const own = async (): Promise<void> => {
    const license = aLicense({ digest: licenseDigest(ownKey, digest) });
    await store().allEntitlements.add(granted([aSubscription({ license })]), aCall());
  };
  const lose = () =>
    mailLostKeys({
      ...parts,
      addresses: sales,
      writer: readableWriter,
      sender: { send: sales.send },
      host: 'latchkey.test',
    })({ email: 'ADA@example.com', id: '0123' }, aCall());
  const sold = (...ids: readonly string[]) => {
    sales.sales = {
      kind: 'read',
      sales: ids.map((entitlementId) => ({
        entitlementId,
        address: `of-${entitlementId}@example.com`,
        customer: null,
      })),
    };
  };
  const ask = (id: string | null, askAtDesk: Parameters<typeof mailKeys>[0]['askAtDesk'], entitlementId = 'sub_1') =>
    mailKeys({ ...parts, askAtDesk })({ entitlementId, id }, aCall());

  const send = (request: Partial<LicenseMailRequest> = {}) =>
    mailLicense(parts)(
      { entitlementId: 'sub_1', to: 'Bob@example.com', what: 'key', licenseKey: null, ...request },
      aCall(),
    );

  const refused = async (request: Partial<LicenseMailRequest>) => {
    const { code } = await refusalOf(send(request));
    expect(sales.sent).to.deep.equal([]);
    return code;
  };

  describe('that an operator sends', () => {
    it('have the derived key of a sale, once more with each call', async () => {
      await sales.add();
      expect(await send()).to.deep.equal({ sentAt: noon });
      await send();
      const [first, second] = sales.sent;
      expect(first).to.include({ to: 'Bob@example.com', subject: 'key' });
      expect(first?.messageId).to.match(new RegExp(`^license\\.${hex16}@latchkey\\.test$`));
      expect(second?.messageId).not.to.equal(first?.messageId);
      const facts = factsIn(last());
      expect(facts).to.include({ licenseKey: await sales.keyOf('sub_1'), now: noon.toISOString() });
      expect(facts['entitlement']).to.have.property('id', 'sub_1');
      expect(facts['product']).to.have.property('id', 'prod_1');
    });

    it('go to the address that Stripe has where none is given', async () => {
      await sales.add();
      await send({ to: null });
      expect(last().to).to.equal('Ada@example.com');
      sales.address = { kind: 'read', address: null };
      expect((await refusalOf(send({ to: null }))).code).to.equal('buyer_address_unknown');
      sales.address = { kind: 'failed', code: 'status 500', retryAfter: null };
      const failed = await thrownBy(send({ to: null }));
      expect(failed).to.include({ code: 'stripe_unavailable' }).and.have.nested.property('cause.message', 'status 500');
      parts = { ...parts, addresses: null };
      expect((await refusalOf(send({ to: null }))).code).to.equal('buyer_address_unknown');
      expect(sales.sent).to.have.length(1);
    });

    it('find no address of what Stripe has not sold', async () => {
      await own();
      expect(await refused({ entitlementId: 'ent_1', to: null, licenseKey: ownKey })).to.equal('buyer_address_unknown');
    });

    it('have the key that the caller has, in whichever white space', async () => {
      await own();
      for (const what of ['key', null] as const) {
        await send({ entitlementId: 'ent_1', what, licenseKey: ` ${ownKey}\n` });
        expect([last().subject, factsIn(last())['licenseKey']]).to.deep.equal(['key', ownKey]);
      }
    });

    it('have no other key than the one that works', async () => {
      await own();
      const of = { entitlementId: 'ent_1' };
      for (const licenseKey of ['another key of the owner’s making', 'short', ''])
        expect(await refused({ ...of, licenseKey })).to.equal('invalid_license_key');
      expect(await refused({ ...of, licenseKey: null })).to.equal('license_key_unknown');
      const { details } = await refusalOf(send({ ...of, licenseKey: 'short' }));
      expect(details.message).to.equal('licenseKey must be the key that the entitlement has now.');
      const unsold = aLicense({ digest: licenseDigest(await sales.keyOf('ent_8'), digest) });
      await sales.add({ id: 'ent_8', license: unsold });
      expect(await refused({ entitlementId: 'ent_8' })).to.equal('license_key_unknown');
      await sales.add({ id: 'sub_2', license: null });
      expect(await refused({ entitlementId: 'sub_2', licenseKey: ownKey })).to.equal('invalid_license_key');
      const gone = 'a key that was revoked later';
      const revoked = aLicense({ digest: licenseDigest(gone, digest), revokedAt: noon });
      await sales.add({ id: 'sub_3', license: revoked });
      expect(await refused({ entitlementId: 'sub_3', licenseKey: gone })).to.equal('invalid_license_key');
    });

    it('have no derived key that does not work', async () => {
      await sales.add({ id: 'sub_2', license: null });
      await sales.add({ id: 'sub_3', license: aLicense({ revokedAt: noon }) });
      await sales.add({ id: 'sub_4', license: aLicense({ digest: 'another' }) });
      await sales.add({ id: 'sub_5', hold: { kind: 'revoked', at: noon } });
      const codes = [];
      for (const number of [2, 3, 4, 5]) codes.push(await refused({ entitlementId: `sub_${number}` }));
      expect(codes).to.deep.equal([
        'license_not_found',
        'license_not_found',
        'license_key_unknown',
        'entitlement_ended',
      ]);
    });

    it('have a link of a day where no key is asked for', async () => {
      await sales.add();
      for (const what of ['link', null] as const) {
        await send({ what });
        expect(last().subject).to.equal('link');
        const facts = factsIn(last());
        expect(facts['link']).to.deep.equal({
          url: `https://latchkey.test/license/links/${'t'.repeat(43)}`,
          expiresAt: later(day).toISOString(),
        });
        expect(facts).to.include({ now: noon.toISOString() }).and.include.keys('why', 'product', 'entitlement');
      }
      expect(await refusalOf(send({ what: 'link', licenseKey: ownKey }))).to.deep.equal({
        code: 'invalid_license_key',
        details: { message: 'licenseKey is for what key alone: a link needs none.' },
      });
    });

    it('have no link where there is no page', async () => {
      await sales.add();
      loadMail = async () => sales.mail({ hasLicensePages: false });
      expect(await refusalOf(send({ what: 'link' }))).to.deep.equal({
        code: 'invalid_license_key',
        details: { message: 'licenseKey is needed: the service has no pages to link to.' },
      });
      expect(sales.sent).to.deep.equal([]);
      expect(await store().buyerLinks.find(digest('t'.repeat(43)), aCall())).to.equal(null);
      await send();
      expect(last().subject).to.equal('key');
    });

    it('need an address, an entitlement and a server', async () => {
      expect(await refused({ entitlementId: 'sub_9' })).to.equal('entitlement_not_found');
      await sales.add();
      for (const to of ['', 'bob', 'bob@localhost']) {
        expect(await refusalOf(send({ to }))).to.deep.equal({
          code: 'invalid_email',
          details: { message: 'to must be a valid e-mail address.' },
        });
      }
      loadMail = async () => null;
      expect(await refused({})).to.equal('mail_unavailable');
    });

    it('say what the server has not taken', async () => {
      await sales.add();
      await sales.refuse('sub_1');
      const messageAfter = async (result: MailedSales['result']) => {
        sales.result = result;
        const { code, details } = await refusalOf(send());
        expect(code).to.equal('mail_unavailable');
        return details.message;
      };
      expect(await messageAfter({ outcome: 'failed', code: 'timeout' })).to.equal(
        'The mail was not sent: failed (timeout).',
      );
      expect(await messageAfter({ outcome: 'failed', code: '535', advice: 'Look at SMTP_URL.' })).to.equal(
        'The mail was not sent: failed (535). Look at SMTP_URL.',
      );
      expect(await messageAfter({ outcome: 'refused', code: '5.1.1' })).to.equal(
        'The mail was not sent: refused (5.1.1).',
      );
      expect(await messageAfter({ outcome: 'unconfirmed', code: 'closed' })).to.include('It may arrive.');
      expect(await sales.cases()).to.have.length(1);
    });

    it('settle the case of a mail that was refused', async () => {
      await sales.add();
      await sales.refuse('sub_1');
      await send();
      expect(await sales.cases()).to.deep.equal([]);
    });

    it('are sent though the store cannot settle the case', async () => {
      await sales.add();
      const cases = { remove: () => Promise.reject(new Error('the disk is full')) };
      expect(
        await mailLicense({ ...parts, cases })(
          { entitlementId: 'sub_1', to: 'bob@example.com', what: 'key', licenseKey: null },
          aCall(),
        ),
      ).to.deep.equal({ sentAt: noon });
    });

    it('may be of a test, which says nothing of a buyer', async () => {
      const test = testMail(parts);
      expect(await test('bob@example.com', aCall())).to.deep.equal({ sentAt: noon });
      expect(last()).to.include({ to: 'bob@example.com', subject: 'test' });
      expect(last().messageId).to.match(new RegExp(`^test\\.${hex16}@latchkey\\.test$`));
      expect((await refusalOf(test('bob', aCall()))).code).to.equal('invalid_email');
      loadMail = async () => null;
      expect((await refusalOf(test('bob@example.com', aCall()))).details.message).to.include('SMTP_URL');
    });
  });

  describe('of lost keys', () => {
    it('name every license once, the newest first, and go to the address of the newest', async () => {
      await sales.add({ createdAt: later(-2) });
      await sales.add({ id: 'sub_2', createdAt: later(-1), license: aLicense({ digest: 'another' }) });
      await sales.add({ id: 'sub_3', createdAt: later(-3), productId: 'prod_9' });
      sold('sub_1', 'sub_2', 'sub_3', 'sub_1', 'sub_9');
      expect(await lose()).to.deep.equal({ outcome: 'sent' });
      expect(last()).to.include({ to: 'of-sub_2@example.com', messageId: 'lost.0123@latchkey.test', subject: 'lost' });
      const { licenses, now } = factsIn(last()) as {
        readonly licenses: readonly {
          readonly entitlement: { readonly id: string };
          readonly product: { readonly id: string } | null;
          readonly licenseKey: string | null;
          readonly link: { readonly expiresAt: string };
          readonly why: unknown;
        }[];
        readonly now: string;
      };
      expect(now).to.equal(noon.toISOString());
      expect(
        licenses.map(({ entitlement, product, licenseKey, link }) => [
          entitlement.id,
          product?.id,
          licenseKey,
          link.expiresAt,
        ]),
      ).to.deep.equal([
        ['sub_2', 'prod_1', null, later(day).toISOString()],
        ['sub_1', 'prod_1', await sales.keyOf('sub_1'), later(day).toISOString()],
        ['sub_3', undefined, await sales.keyOf('sub_3'), later(day).toISOString()],
      ]);
      expect(licenses.every(({ why }) => typeof why === 'object')).to.equal(true);
    });

    it('name the 20 newest licenses', async () => {
      const ids = range(21).map((number) => `sub_${number}`);
      for (const [number, id] of ids.entries()) await sales.add({ id, createdAt: later(number) });
      sold(...ids);
      await lose();
      const { licenses } = factsIn(last()) as {
        readonly licenses: readonly { readonly entitlement: { readonly id: string } }[];
      };
      expect(licenses.map(({ entitlement }) => entitlement.id)).to.deep.equal(ids.slice(1).toReversed());
    });

    it('are not sent where nothing was sold to the address', async () => {
      expect(await lose()).to.deep.equal({ outcome: 'unknown' });
      sold('sub_9');
      expect(await lose()).to.deep.equal({ outcome: 'unknown' });
      await store().allEntitlements.add(granted([aSubscription({ id: 'ent_1' })]), aCall());
      sold('ent_1');
      expect(await lose()).to.deep.equal({ outcome: 'unknown' });
      expect(sales.sent).to.deep.equal([]);
    });

    it('are tried again where Stripe or the server did not answer', async () => {
      await sales.add();
      sold('sub_1');
      sales.result = { outcome: 'failed', code: 'timeout' };
      expect(await lose()).to.deep.equal({ outcome: 'failed', code: 'timeout' });
      sales.sales = { kind: 'failed', code: 'status 500', retryAfter: null, sales: sales.sales.sales };
      expect(await lose()).to.deep.equal({ outcome: 'failed', code: 'status 500' });
      expect(sales.sent).to.have.length(1);
    });
  });

  describe('of all keys, which an operator asks for', () => {
    let asked: DeskMail[];
    const desk = async (mail: DeskMail): Promise<void> => void asked.push(mail);
    beforeEach(() => {
      asked = [];
    });

    it('go to the buyer of a sale as Stripe has it, and settle the case', async () => {
      await sales.add();
      await sales.refuse('sub_1');
      await ask('own', desk);
      await ask(null, desk);
      expect(asked[0]).to.deep.equal({ email: 'Ada@example.com', id: 'own', entitlementId: 'sub_1' });
      expect(asked[1]?.id).to.match(new RegExp(`^${hex16}$`));
      expect(await sales.cases()).to.deep.equal([]);
    });

    it('are refused without a sale, a desk, or an address', async () => {
      expect((await refusalOf(ask(null, desk))).code).to.equal('entitlement_not_found');
      await store().allEntitlements.add(granted([aSubscription({ id: 'ent_1' })]), aCall());
      expect((await refusalOf(ask(null, desk, 'ent_1'))).code).to.equal('not_sold_by_stripe');
      await sales.add();
      const { code, details } = await refusalOf(ask(null, null));
      expect([code, details.message]).to.deep.equal([
        'mail_unavailable',
        'No keys are mailed here: only a server with STRIPE_API_KEY, SMTP_URL and pages for buyers mails them.',
      ]);
      sales.address = { kind: 'read', address: null };
      expect((await refusalOf(ask(null, desk))).code).to.equal('buyer_address_unknown');
      expect(asked).to.deep.equal([]);
    });

    it('leave the case where the desk refuses', async () => {
      await sales.add();
      await sales.refuse('sub_1');
      const full = new Error('rate limited');
      expect(await thrownBy(ask(null, () => Promise.reject(full)))).to.equal(full);
      expect(await sales.cases()).to.have.length(1);
    });
  });
});
