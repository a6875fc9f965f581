import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import {
  affiliatesCall,
  createAffiliateLink,
  endAffiliateLinks,
  openAffiliateLink,
} from '../../../core/affiliate/affiliate-links.ts';
import { mailAffiliateLink } from '../../../core/affiliate/mail-affiliate.ts';
import { maxLinks } from '../../../core/buyer/buyer-link.ts';
import { createLink } from '../../../core/buyer/manage-links.ts';
import type { OutgoingMail } from '../../../core/mail/mail-sender.port.ts';
import { anAffiliate } from '../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../support/builders.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).code;

const tokenOf = (url: string): string => url.slice(-43);

describe('the links of an affiliate', () => {
  const store = freshStore(memory.open);
  let tokens = 0;
  const newToken = (): string => String((tokens += 1)).padStart(43, 't');
  const creating = () => createLink(store().buyerLinks, newToken, digest);
  const create = (handle: string, expires: number | null = null) =>
    createAffiliateLink(creating(), store().affiliates, () => 'https://latchkey.example')(handle, expires, aCall());
  const open = (token: string, now = later(0)) =>
    openAffiliateLink(store().buyerLinks, store().affiliates, digest)(token, aCall({ now }));

  beforeEach(async () => {
    await store().affiliates.replace(null, anAffiliate(), aCall());
    await store().affiliates.replace(null, anAffiliate({ handle: 'gone', state: 'ended' }), aCall());
  });

  it('open the own page for 30 days, or as long as they are asked for', async () => {
    const { url, expiresAt } = await create('ada');
    expect(url).to.match(/^https:\/\/latchkey\.example\/affiliates\/links\/t+\d+$/);
    expect(expiresAt).to.deep.equal(later(30 * day));
    const { affiliate, link } = await open(tokenOf(url), later(30 * day - 1));
    expect(affiliate).to.deep.equal(anAffiliate());
    expect(link).to.deep.include({ subject: 'affiliate/ada', expiresAt });
    expect(await codeOf(open(tokenOf(url), later(30 * day)))).to.equal('link_not_found');
    expect((await create('ada', day)).expiresAt).to.deep.equal(later(day));
  });

  it('are for those who are there and have not ended', async () => {
    expect([await codeOf(create('nobody')), await codeOf(create('gone'))]).to.deep.equal([
      'affiliate_not_found',
      'affiliate_ended',
    ]);
  });

  it('open nothing once the affiliate has ended, and nothing of a buyer', async () => {
    const { url } = await create('ada');
    const ofBuyer = { find: async () => ({ id: 'ada' }), appKeyId: null, returnUrl: null, isForLostKeys: false };
    const { token } = await creating()({ ...ofBuyer, expires: null }, aCall());
    expect(await codeOf(open(token))).to.equal('link_not_found');
    await store().affiliates.replace(anAffiliate(), anAffiliate({ state: 'ended', revision: 2 }), aCall());
    expect(await codeOf(open(tokenOf(url)))).to.equal('link_not_found');
    for (const unknown of ['', 'x', 'u'.repeat(43)]) expect(await codeOf(open(unknown))).to.equal('link_not_found');
  });

  it('end together', async () => {
    const links = [await create('ada'), await create('ada')];
    const end = endAffiliateLinks(store().buyerLinks, store().affiliates);
    expect([await end('ada', aCall()), await end('ada', aCall()), await end('gone', aCall())]).to.deep.equal([2, 0, 0]);
    for (const { url } of links) expect(await codeOf(open(tokenOf(url)))).to.equal('link_not_found');
    expect(await codeOf(end('nobody', aCall()))).to.equal('affiliate_not_found');
  });

  it('are mailed to whoever has the address, and to nobody else', async () => {
    const sent: OutgoingMail[] = [];
    const loadMail = mailTakenBy(async (mail) => {
      sent.push(mail);
      return { outcome: 'sent' };
    });
    const make = createAffiliateLink(creating(), store().affiliates, () => '');
    const parts = { loadMail, randomBytes: (count: number) => new Uint8Array(count) };
    const mailTo = mailAffiliateLink(store().affiliates, make, parts);
    const mail = (email: string, listing: string | null = null) => mailTo({ email, listing }, aCall());
    expect(await mail('ADA@example.com')).to.deep.equal({ outcome: 'sent' });
    expect(sent).to.have.length(1);
    expect(sent[0]).to.include({ to: 'ada@example.com', messageId: 'affiliate.0000000000000000@latchkey.test' });
    const token = /links\/(\S{43})/.exec(sent[0]?.text ?? '')?.[1] ?? '';
    expect((await open(token)).affiliate.handle).to.equal('ada');
    expect([await mail('gone@example.com'), await mail('x@example.com')]).to.deep.equal([null, null]);
    const without = mailAffiliateLink(store().affiliates, make, { ...parts, loadMail: async () => null });
    expect(await without({ email: 'ada@example.com', listing: null }, aCall())).to.equal(null);
    await mail('ada@example.com', 'a b&c');
    expect(sent.map(({ text }) => /links\/\S{43}(\S*)/.exec(text)?.[1])).to.deep.equal(['', '?listing=a%20b%26c']);
  });

  it('that anybody can ask for end none of the others', async () => {
    const own = await create('ada');
    const asked = createAffiliateLink(creating(), store().affiliates, () => '', true);
    for (let count = 0; count <= maxLinks; count += 1) await asked('ada', null, aCall());
    expect((await open(tokenOf(own.url))).affiliate.handle).to.equal('ada');
  });

  it('let an affiliate act as nobody else', () => {
    expect(affiliatesCall(aCall({ products: new Set() }), anAffiliate())).to.deep.include({
      by: 'affiliate:ada',
      products: null,
    });
  });
});
