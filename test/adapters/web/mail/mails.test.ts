import { expect } from 'chai';
import type { MailSite } from '../../../../adapters/web/mail/mail-parts.ts';
import { mailWriter } from '../../../../adapters/web/mail/mail-writer.ts';
import { englishTexts } from '../../../../adapters/web/markup/buyer-texts.ts';
import { mailTexts } from '../../../../adapters/web/markup/mail-texts.ts';
import { Words } from '../../../../adapters/web/markup/words.ts';
import { contrastOf } from '../../../../adapters/web/page/colors.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { changeReasons } from '../../../../core/entitlement/history-entry.ts';
import { hasAccess, whyOf } from '../../../../core/entitlement/why/why.ts';
import type { MailContent, MailWriter } from '../../../../core/mail/mail-writer.port.ts';
import { aStatement } from '../../../support/affiliates/builders.ts';
import { aLicense, aOneTimePurchase, aProduct, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { greek, markedTexts, namesIn, wordsLeftIn } from '../../../support/web/marked-texts.ts';

const key = 'LK-7Q2M9-4KX1T-B8WZ3-N5RHE-0VJCA-DX5SX';
const licenseUrl = 'https://licenses.sketchpad.example/license';
const lostUrl = `${licenseUrl}/lost`;
const product = aProduct({ name: 'Sketchpad', downloadUrl: 'https://sketchpad.example/download' });
const license = aLicense({ lastFour: '9QXZ' });
const pro = aSubscription({
  license,
  currentPeriodEnd: new Date('2026-12-18T00:00:00.000Z'),
  graceUntil: new Date('2026-12-19T00:00:00.000Z'),
});
const lifetime = aOneTimePurchase({ license, tierName: 'Lifetime' });
const expiresAt = new Date('2026-11-26T20:30:00.000Z');
const now = new Date('2026-11-25T20:30:00.000Z');
const canceled = { at: later(day), requestedAt: noon };

const unpaid: Entitlement = { ...pro, hold: { kind: 'suspended', causes: ['payment'] } };
const revoked: Entitlement = { ...pro, hold: { kind: 'revoked', at: later(-day) } };

/** A license in each state, with and without its key. */
const states = [
  pro,
  { ...pro, license: null },
  { ...pro, cancellation: canceled },
  lifetime,
  lifetime,
  aOneTimePurchase({ accessEndsAt: later(day), license: aLicense({ lastFour: null }) }),
  aOneTimePurchase({ accessEndsAt: later(day), license: aLicense({ lastFour: null }) }),
  { ...pro, standing: 'trialing' },
  { ...pro, standing: 'past_due' },
  unpaid,
  { ...pro, hold: { kind: 'suspended' } },
  { ...pro, cancellation: { at: later(-day), requestedAt: later(-2 * day) } },
  { ...pro, currentPeriodEnd: later(-2 * day), graceUntil: later(-day) },
  revoked,
] as const satisfies readonly Entitlement[];

const withAccess = { why: hasAccess };

const endings = [
  { reason: 'canceled', endsAt: later(day) },
  { reason: 'fixed_term', endsAt: later(day) },
] as const;

const account = { accountUrl: 'https://sketchpad.example/account' };

function linkTo(token: string) {
  return { url: `${licenseUrl}/links/${token}`, expiresAt };
}

function href(path: string): string {
  return `https://licenses.sketchpad.example${path}`;
}

function writer(site: Partial<MailSite> = {}): MailWriter {
  const words = new Words(englishTexts, 'en');
  const pages = { hasLicensePage: true, hasLostPage: true };
  return mailWriter({
    words,
    name: 'Sketchpad',
    accent: '#0f766e',
    href,
    ...pages,
    help: null,
    imageHosts: ['cdn.example'],
    takesAnswers: true,
    ...site,
  });
}

/** The text of a mail in HTML, a line for each block. */
function seen({ html }: MailContent): readonly string[] {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? '';
  return body
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<br \/>|<\/p>|<\/h1>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The images that a mail loads. */
function imagesIn({ html }: MailContent): readonly string[] {
  return html.match(/<img[^>]*>/g) ?? [];
}

/** Whether a line has something that is neither a marked text nor a key nor an address. */
function isUnmarked(line: string): boolean {
  return !/^§|^https:|^LK-/.test(line.trim()) && line.trim() !== '';
}

/** The address for questions. */
function questionIn(help: string | null, supportUrl: string | null): string {
  const mail = writer({ help, takesAnswers: false });
  const { text } = mail.key({ entitlement: pro, product: { ...product, supportUrl }, licenseKey: key, now });
  return /^Questions.*$/m.exec(text)?.[0] ?? '';
}

/** The addresses for questions in the mail of lost keys, for a license with each of these helps. */
function lostQuestions(supportUrls: readonly (string | null)[], site: Partial<MailSite> = {}): readonly string[] {
  const licenses = supportUrls.map((supportUrl) => ({
    entitlement: pro,
    product: { ...product, supportUrl },
    licenseKey: key,
    ...withAccess,
    link: linkTo('token'),
  }));
  const { text } = writer({ help: 'https://help.example', takesAnswers: false, ...site }).lost({ licenses, now });
  return text.split('\n').filter((line) => line.includes('Questions?'));
}

const ofAda = {
  handle: 'ada',
  link: { url: 'https://licenses.sketchpad.example/affiliates/links/token', expiresAt: noon },
};

const ofNovember = {
  statement: aStatement({ total: 15_000, opening: -2660, balance: 12_340, lineCount: 1200 }),
  product,
};

const invitation = { url: 'https://merchants.example/console/invitations/token', expiresAt: noon };

describe('the mails to affiliates', () => {
  it('have the link to the own page, and say why', () => {
    const invited = writer().affiliate({ ...ofAda, isInvitation: true });
    expect(invited.subject).to.equal('Your storefront at Sketchpad');
    expect(invited.text).to.equal(`You are an affiliate of Sketchpad now, as @ada.

Until 18 July 2026, 12:00 UTC, it shows your storefront, your products and what you earn:
https://licenses.sketchpad.example/affiliates/links/token

Whoever has the link can change your details. Pass it on to nobody.
If it was not you, there is nothing to do.
`);
    const asked = writer().affiliate({ ...ofAda, isInvitation: false });
    expect(seen(asked)[1]).to.equal('Here is the link to your page at Sketchpad that was asked for.');
  });
});

describe('the mails of statements', () => {
  it('have what is owed, what was carried over, the number of lines, and the link to the own page', () => {
    const mail = writer().statement({ ...ofNovember, link: ofAda.link });
    expect(mail.subject).to.equal('Your statement of November 2026: US$123.40');
    expect(mail.text).to.equal(`Your statement of November 2026 for Sketchpad at Sketchpad is closed.

Lines: 1,200
Total: US$150.00
Carried over from before: -US$26.60
Balance: US$123.40

Your page, until 18 July 2026, 12:00 UTC:
https://licenses.sketchpad.example/affiliates/links/token

Whoever has the link can change your details. Pass it on to nobody.
`);
    expect(seen(mail)).to.deep.equal([mail.subject, ...mail.text.split('\n').filter((line) => line !== '')]);
  });

  it('have no link where there is no page, and say nothing of what was not carried over', () => {
    const statement = aStatement({ currency: 'jpy', month: '2027-01' });
    const { subject, text } = writer().statement({ statement, product: null, link: null });
    expect(subject).to.equal('Your statement of January 2027: JP¥270');
    expect(text).to.equal(`Your statement of January 2027 for prod_1 at Sketchpad is closed.

Lines: 1
Total: JP¥270
Balance: JP¥270
`);
  });

  it('have months and amounts in the language of the site', () => {
    const mail = writer({ words: new Words(englishTexts, 'de') }).statement({ ...ofNovember, link: null });
    expect(mail.subject).to.equal('Your statement of November 2026: 123,40\u00A0$');
    expect(mail.text).to.include('Lines: 1.200\n').and.include('before: -26,60\u00A0$\n');
  });
});

describe('the mails to buyers', () => {
  it('have the key of a purchase', () => {
    const mail = writer().key({ entitlement: pro, product, licenseKey: key, now });
    expect(mail.subject).to.equal('Your Sketchpad license key');
    expect(mail.text).to.equal(`Thank you for buying Sketchpad Pro.
Download it from https://sketchpad.example/download

Your license key:

    ${key}

Open Sketchpad, and paste the key where it asks for one.

Keep this mail. Whether the key works, and until when, and what to do if it does not work:
https://licenses.sketchpad.example/license

Questions? Answer this mail.
You get it once, because this address was given when Sketchpad was bought.
`);
    expect(seen(mail)).to.deep.equal([
      'Your Sketchpad license key',
      'Thank you for buying Sketchpad Pro.',
      'Download it from https://sketchpad.example/download',
      key,
      'Open Sketchpad, and paste the key where it asks for one.',
      'Keep this mail. Whether the key works, and until when, and what to do if it does not work.',
      'Questions? Answer this mail.',
      'You get it once, because this address was given when Sketchpad was bought.',
    ]);
    expect(mail.html).to.include(`href="${licenseUrl}"`).and.include(`href="${product.downloadUrl}"`);
  });

  for (const [what, entitlement, end] of [
    ['a trial', aSubscription({ standing: 'trialing' }), '1 August 2026'],
    ['a canceled trial', aSubscription({ standing: 'trialing', cancellation: canceled }), '19 July 2026'],
    [
      'a trial of something that is bought once',
      aOneTimePurchase({ standing: 'trialing', accessEndsAt: later(day) }),
      '19 July 2026',
    ],
  ] as const) {
    it(`thank for trying, and say the end, in the mail of ${what}`, () => {
      const { text } = writer().key({ entitlement, product, licenseKey: key, now: noon });
      expect(text).to.include(`Thank you for trying Sketchpad Pro. The trial ends on ${end}.\n`);
      expect(text).to.include('this address was given when the trial of Sketchpad began.');
      expect(text).to.not.match(/buying|bought/);
    });
  }

  it('thank for buying once a trial is over', () => {
    const over = aSubscription({ standing: 'trialing', currentPeriodEnd: later(-1), graceUntil: later(day) });
    expect(writer().key({ entitlement: over, product, licenseKey: key, now: noon }).text).to.include('for buying');
  });

  it('have links in the color of the site, as far as they can be read', () => {
    for (const accent of ['#0f766e', '#ffee58', '#0b0b14', '#ff0000', '#ffffff', '#808080']) {
      const site = writer({ accent, help: 'https://help.example', takesAnswers: false });
      for (const { html } of [
        site.key({ entitlement: pro, product, licenseKey: key, now }),
        site.replaced({ entitlement: pro, product, replacedAt: now, oldLastFour: null }),
        site.link({ entitlement: pro, product, ...withAccess, link: linkTo('token'), now }),
      ]) {
        const links = [...html.matchAll(/<a [^>]*style="color: (#[0-9a-f]{6})"/g)].map(([, color = '']) => color);
        expect(links.length).to.equal(html.split('<a ').length - 1);
        for (const color of links) expect(contrastOf(color, '#ffffff')).to.be.at.least(4.5);
        const [, dark = ''] = /\.m-link \{\s*color: (#[0-9a-f]{6})/.exec(html) ?? [];
        expect(contrastOf(dark, '#1b1b20')).to.be.at.least(4.5);
      }
    }
    expect(writer({ accent: '#0f766e' }).key({ entitlement: pro, product, licenseKey: key, now }).html).to.include(
      'style="color: #0f766e"',
    );
  });

  it('say that a key was replaced, without a key', () => {
    const replacedAt = new Date('2026-11-25T20:31:00.000Z');
    const mail = writer().replaced({ entitlement: pro, product, replacedAt, oldLastFour: 'X5SX' });
    expect(mail.subject).to.equal('Your Sketchpad license key was replaced');
    expect(mail.text).to.equal(`The license key of Sketchpad Pro was replaced on 25 November 2026, 20:31 UTC.
The old key, which ended with X5SX, does not work any more.

You did not do this, or you do not have the new key? Get another one:
https://licenses.sketchpad.example/license/lost

Questions? Answer this mail.
`);
    expect(mail.html).to.include(`href="${lostUrl}"`);
    const alone = writer({ hasLostPage: false }).replaced({ entitlement: pro, product, replacedAt, oldLastFour: null });
    expect(alone.text)
      .to.include('The old key does not work any more.')
      .and.include('Ask for another one.')
      .and.not.include('https://');
  });

  it('say that access ends, without a key', () => {
    const accountUrl = 'https://sketchpad.example/account';
    const endsAt = new Date('2026-12-18T00:00:00.000Z');
    const entitlement = { ...pro, cancellation: { at: endsAt, requestedAt: noon } };
    const mail = writer().ending({
      entitlement,
      product: { ...product, accountUrl },
      ending: { reason: 'canceled', endsAt },
      now,
    });
    expect(mail.subject).to.equal('Your Sketchpad license ends on 18 December 2026');
    expect(mail.text).to.equal(`Sketchpad Pro. It works until 18 December 2026, because it was canceled.
Until then, everything works as it does now.

Do you want to keep it? Resume it, or buy it again:
https://sketchpad.example/account

You do not have the key any more? Get it, and see what you have bought:
https://licenses.sketchpad.example/license/lost

Questions? Answer this mail.
You get this once for each end, because this address was given for Sketchpad.
`);
    expect(seen(mail)).to.include('Do you want to keep it? Resume it, or buy it again:');
    const purchase = aOneTimePurchase({ accessEndsAt: endsAt });
    const bought = { entitlement: purchase, product, ending: { reason: 'fixed_term', endsAt } as const, now };
    const alone = writer({ hasLostPage: false }).ending(bought);
    expect(alone.text)
      .to.include('It works until 18 December 2026.')
      .and.not.match(/https:|keep it/);
    expect(writer().ending({ ...bought, product: { ...product, accountUrl } }).text).to.include(
      'Do you want to keep it? Buy it again:',
    );
  });

  it('have all licenses of an address, with the keys that are known', () => {
    const licenses = [
      { entitlement: pro, product, licenseKey: key, ...withAccess, link: linkTo('hT3vY0bq8mN4xLr2pWcKdZ7sEfUaJg5i') },
      {
        entitlement: lifetime,
        product,
        licenseKey: null,
        ...withAccess,
        link: linkTo('Qm6RkV1zY9tXoB3nCwLd0aHsPeJfG7u2'),
      },
    ];
    const mail = writer().lost({ licenses, now });
    expect(mail.subject).to.equal('Your licenses at Sketchpad');
    expect(mail.text).to.equal(`Somebody has asked for the license keys of this address.
If it was not you, there is nothing to do.

Sketchpad Pro. It works, and renews on 18 December 2026.

    ${key}

    Cancel, or replace the key, until 26 November, 20:30 UTC:
    https://licenses.sketchpad.example/license/links/hT3vY0bq8mN4xLr2pWcKdZ7sEfUaJg5i

Sketchpad Lifetime. It works, and was bought once.

    The key ends with 9QXZ. It cannot be shown. Get a new one, until 26 November, 20:30 UTC:
    https://licenses.sketchpad.example/license/links/Qm6RkV1zY9tXoB3nCwLd0aHsPeJfG7u2

Do not pass these links on.
Questions? Answer this mail.
`);
    expect(seen(mail)).to.include(key).and.include('Sketchpad Lifetime. It works, and was bought once.');
  });

  for (const [what, entitlement, licenseKey, state, link] of [
    ['in a trial', aSubscription({ standing: 'trialing', license }), key, 'The trial ends on', 'Cancel, or'],
    ['canceled', aSubscription({ cancellation: canceled, license }), key, 'It works until 19 July', 'Resume, or'],
    ['past due', aSubscription({ standing: 'past_due', license }), key, 'A payment has not arrived.', 'Cancel, or'],
    [
      'bought for a time',
      aOneTimePurchase({ accessEndsAt: later(day) }),
      key,
      'It works until 19 July',
      'Replace the key',
    ],
    ['held by the seller', aSubscription({ hold: { kind: 'suspended' } }), key, 'on hold, by the seller', 'Cancel, or'],
    ['ended', aSubscription({ graceUntil: later(-1), currentPeriodEnd: later(-1) }), key, 'It ended on', 'Look at it'],
    ['without a key', aSubscription(), null, 'It works, and renews', 'It has no key yet.'],
    [
      'with a short key',
      aSubscription({ license: aLicense({ lastFour: null }) }),
      null,
      'It works',
      'The key cannot be shown.',
    ],
    ['with a revoked key', aSubscription({ license: aLicense({ revokedAt: noon }) }), null, 'It works', 'Look at it'],
  ] as const) {
    it(`say the state of a license that is ${what}`, () => {
      const why = whyOf(entitlement, [], noon);
      const lost = { entitlement, product, licenseKey, why, link: linkTo('token') };
      const { text } = writer().lost({ licenses: [lost], now: noon });
      expect(text).to.include(`Sketchpad Pro. `).and.include(state).and.include(`    ${link}`);
      expect(text.includes(key)).to.equal(licenseKey !== null);
    });
  }

  it('have a link where the key is not known', () => {
    const mail = writer().link({ entitlement: lifetime, product, ...withAccess, link: linkTo('token'), now });
    expect(mail.subject).to.equal('Your Sketchpad license');
    expect(mail.text).to.equal(`Sketchpad Lifetime. It works, and was bought once.

    The key ends with 9QXZ. It cannot be shown. Get a new one, until 26 November, 20:30 UTC:
    https://licenses.sketchpad.example/license/links/token

Do not pass this link on.
Questions? Answer this mail.
`);
  });

  it('lead from the licenses of an address to their help, once if it is the same', () => {
    const [sketch, other] = ['mailto:help@sketchpad.example', 'https://other.example/help'];
    expect(lostQuestions([sketch, sketch])).to.deep.equal(['Questions? Ask at help@sketchpad.example']);
    expect(lostQuestions([sketch, other, null])).to.deep.equal([
      '    Questions? Ask at help@sketchpad.example',
      '    Questions? Ask at https://other.example/help',
      '    Questions? Ask at https://help.example',
    ]);
    expect(lostQuestions([null, null])).to.deep.equal(['Questions? Ask at https://help.example']);
    expect(lostQuestions([null], { help: null })).to.deep.equal(['Questions? Answer this mail.']);
    expect(lostQuestions([sketch, other], { takesAnswers: true })).to.deep.equal(['Questions? Answer this mail.']);
  });

  it('lead to the help of the product, or else of the site, if answers have no address', () => {
    expect(questionIn('https://help.example', 'mailto:help@sketchpad.example')).to.equal(
      'Questions? Ask at help@sketchpad.example',
    );
    expect(questionIn('https://help.example', null)).to.equal('Questions? Ask at https://help.example');
    expect(questionIn(null, null)).to.equal('Questions? Answer this mail.');
  });

  it('say what the seller has written, with the names in it', () => {
    const own = {
      mailSubject: '{product} {tier}: your key',
      mailText: 'Open {product}.\nChoose Help.\n\nPaste the key of {product} {tier}.\n',
    };
    const mail = writer().key({ entitlement: pro, product: { ...product, ...own }, licenseKey: key, now });
    expect(mail.subject).to.equal('Sketchpad Pro: your key');
    expect(mail.text)
      .to.include('Thank you for buying Sketchpad Pro.\nDownload it from https')
      .and.include('\n\nOpen Sketchpad.\nChoose Help.\n\nPaste the key of Sketchpad Pro.\n\nKeep')
      .and.not.include('where it asks for one');
    expect(seen(mail)).to.include.members(['Open Sketchpad.', 'Choose Help.', 'Paste the key of Sketchpad Pro.']);
    const withDownload = { ...own, mailText: `Get it at ${product.downloadUrl}, {product} fans.` };
    const { text } = writer().key({ entitlement: pro, product: { ...product, ...withDownload }, licenseKey: key, now });
    expect(text.split(product.downloadUrl ?? '')).to.have.length(2);
  });

  it('name a product that is unknown by its id, and lead to no page that there is not', () => {
    const mail = writer({ hasLicensePage: false }).key({ entitlement: pro, product: null, licenseKey: key, now });
    expect(mail.text).to.include('Thank you for buying prod_1 Pro.').and.not.include('https://');
    expect(mail.text).to.include('\n\nKeep this mail.\n\n');
  });

  it('take hostile names as text', () => {
    const name = '<img src=x onerror=alert(1)> {tier} {url} $& \u202E"\r\nBcc: all@example.com';
    const entitlement = { ...pro, tierName: '</style><script>alert(1)</script>{product}' };
    const hostile = { ...product, name };
    const site = writer({ name });
    for (const mail of [
      site.key({ entitlement, product: hostile, licenseKey: '<b>"&'.repeat(6), now }),
      site.link({ entitlement, product: hostile, ...withAccess, link: linkTo('token'), now }),
      site.replaced({ entitlement, product: hostile, replacedAt: noon, oldLastFour: '"<b>' }),
      site.ending({ entitlement, product: hostile, ending: endings[0], now }),
      site.lost({
        licenses: [{ entitlement, product: hostile, licenseKey: null, ...withAccess, link: linkTo('token') }],
        now,
      }),
      site.invite(invitation),
      site.affiliate({ ...ofAda, isInvitation: true }),
      site.test(),
    ]) {
      expect(mail.subject)
        .to.match(/^[^\p{Cc}]+$/u)
        .and.include('{tier} {url} $&');
      expect(mail.html).to.not.match(/<img|<script|<b>/);
      expect(mail.text).to.include('{tier} {url} $&').and.not.include('undefined');
    }
    const statement = site.statement({ ...ofNovember, product: hostile, link: ofAda.link });
    // No name is in the subject, and none changes the direction of what is around it.
    expect(statement.subject).to.equal('Your statement of November 2026: US$123.40');
    expect(statement.html)
      .to.match(/<bdi>&lt;img[^<]*<\/bdi>/)
      .and.not.match(/<img|<script/);
  });

  it('have no word of English where all texts are others, and each text is in one', () => {
    const words = new Words(markedTexts, 'ar');
    const bought = { entitlement: { ...pro, tierName: greek.tier }, product: { ...product, name: greek.product } };
    const licenses = [
      ...states.map((entitlement) => ({ entitlement, why: whyOf(entitlement, [], noon) })),
      ...changeReasons.map((reason) => ({ entitlement: unpaid, why: { by: 'stripe', reason, at: noon } as const })),
      ...changeReasons.map((reason) => ({ entitlement: revoked, why: { by: 'stripe', reason, at: noon } as const })),
    ].map(({ entitlement, why }, index) => ({
      ...bought,
      entitlement: { ...entitlement, tierName: greek.tier },
      licenseKey: index % 2 === 0 ? key : null,
      why,
      link: linkTo('token'),
    }));
    const mails = [true, false].flatMap((has) => {
      const ofSite = { words, name: greek.site, help: 'mailto:help@shop.example', takesAnswers: has };
      const site = writer({ ...ofSite, hasLicensePage: has, hasLostPage: has });
      return [
        site.key({ ...bought, licenseKey: key, now }),
        site.key({ ...bought, entitlement: { ...bought.entitlement, standing: 'trialing' }, licenseKey: key, now }),
        site.link({ ...bought, ...withAccess, link: linkTo('token'), now: noon }),
        site.replaced({ ...bought, replacedAt: noon, oldLastFour: has ? 'X5SX' : null }),
        ...endings.map((ending) => site.ending({ ...bought, product: { ...bought.product, ...account }, ending, now })),
        site.lost({ licenses, now: noon }),
        site.invite(invitation),
        site.affiliate({ ...ofAda, handle: greek.tier, isInvitation: has }),
        site.statement({ statement: aStatement({ opening: -1, currency: 'eur' }), product: bought.product, ...ofAda }),
        site.test(),
      ];
    });
    const all = mails.flatMap((mail) => [mail.subject, mail.text, mail.html]);
    expect([...new Set(all.flatMap(wordsLeftIn))]).to.deep.equal([]);
    const names = new Set(all.flatMap(namesIn));
    expect(Object.keys(mailTexts).filter((name) => !names.has(name))).to.deep.equal([]);
    for (const { html } of mails) expect(html).to.match(/<html lang="ar"[^>]* dir="rtl"/);
  });

  it('are in the language and the texts of the site', () => {
    const marked = Object.fromEntries(Object.entries(englishTexts).map(([name, text]) => [name, `§${text}`]));
    const words = new Words({ ...englishTexts, ...marked }, 'de');
    const site = writer({ words });
    for (const mail of [
      site.key({ entitlement: pro, product, licenseKey: key, now }),
      site.link({ entitlement: lifetime, product, ...withAccess, link: linkTo('token'), now }),
      site.replaced({ entitlement: pro, product, replacedAt: now, oldLastFour: null }),
      ...endings.map((ending) => site.ending({ entitlement: pro, product: { ...product, ...account }, ending, now })),
      site.lost({
        licenses: [{ entitlement: pro, product, licenseKey: key, ...withAccess, link: linkTo('token') }],
        now,
      }),
      site.test(),
    ]) {
      expect([mail.subject, ...mail.text.split('\n')].filter(isUnmarked)).to.deep.equal([]);
      expect(seen(mail).filter(isUnmarked)).to.deep.equal([]);
      expect(mail.html).to.include('<html lang="de" dir="ltr">');
    }
    const { text } = site.lost({
      licenses: [{ entitlement: pro, product, licenseKey: key, ...withAccess, link: linkTo('t') }],
      now,
    });
    expect(text).to.include('18. Dezember 2026').and.include('26. November');
  });

  it('have the icon of the product, at the address that it has for everybody, with its name as the text', () => {
    const [iconUrl, other] = ['https://cdn.example/sketchpad.png?v=2&s=64', 'https://other.example/1.png'];
    for (const [entitlement, licenseKey] of [
      [pro, key],
      [{ ...lifetime, id: 'ent_2' }, key.replace('7', '8')],
    ] as const) {
      const bought = { entitlement, product: { ...product, iconUrl } };
      const lost = { ...bought, licenseKey, ...withAccess, link: linkTo('token') };
      const hidden = { ...lost, product: { ...product, iconUrl: other } };
      const site = writer();
      const icons = [
        site.key({ ...bought, licenseKey, now }),
        site.link({ ...bought, ...withAccess, link: linkTo('token'), now }),
        site.replaced({ ...bought, replacedAt: now, oldLastFour: null }),
        site.ending({ ...bought, ending: endings[0], now }),
        site.lost({ licenses: [lost, hidden], now }),
      ].flatMap(imagesIn);
      expect(icons).to.have.length(5);
      for (const icon of icons) {
        expect(icon).to.match(
          /^<img\s+src="https:\/\/cdn\.example\/sketchpad\.png\?v=2&amp;s=64"\s+alt="Sketchpad"\s+width="48"\s+height="48"\s+style="[^"]*"\s*\/>$/,
        );
      }
      expect(imagesIn(site.key({ ...hidden, licenseKey, now }))).to.deep.equal([]);
      const plain = writer({ imageHosts: [] }).key({ ...bought, licenseKey, now });
      expect(imagesIn(plain)).to.deep.equal([]);
      expect(plain.text).to.equal(site.key({ ...bought, licenseKey, now }).text);
    }
  });

  it('load nothing without an icon, and have no key in the subject', () => {
    const site = writer();
    for (const mail of [
      site.key({ entitlement: pro, product, licenseKey: key, now }),
      site.lost({ licenses: [{ entitlement: pro, product, licenseKey: key, ...withAccess, link: linkTo('t') }], now }),
      site.replaced({ entitlement: pro, product, replacedAt: noon, oldLastFour: 'X5SX' }),
      ...endings.map((ending) => site.ending({ entitlement: pro, product: { ...product, ...account }, ending, now })),
      site.test(),
    ]) {
      expect(mail.html).to.not.match(/\ssrc=|<link|@import|url\(|<img|<script|<iframe/);
      expect(mail.subject).to.not.include(key);
    }
  });
});
