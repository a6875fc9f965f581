import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { hasAccess } from '../../../core/entitlement/why/why.ts';
import type { MailContent, MailWriter } from '../../../core/mail/mail-writer.port.ts';
import { withoutReordering } from '../../../core/parsing/reordering.ts';
import { aLicense, aOneTimePurchase, aProduct, aSubscription, day, later, noon } from '../../support/builders.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectAsksFor, imageUrls, serveImages } from './image-host.ts';
import { expectSound, keepScreenshot, openTab } from './site.ts';

const key = 'LK-7Q2M9-4KX1T-B8WZ3-N5RHE-0VJCA-DX5SX';
const link = { url: `https://latchkey.test/license/links/${'hT3vY0bq8mN'.repeat(4)}`, expiresAt: later(day) };
const license = aLicense();

/** Each kind of mail of a product with a name and an icon. */
function mailsOf(writer: MailWriter, name: string, iconUrl: string): Readonly<Record<string, MailContent>> {
  const downloadUrl = `https://sketchpad.example/${'download-'.repeat(20)}`;
  const product = aProduct({ name, downloadUrl, iconUrl });
  const entitlement = aSubscription({ license });
  const bought = { entitlement, product, why: hasAccess };
  const lifetime = { entitlement: aOneTimePurchase({ license, tierName: name }), product, why: hasAccess };
  return {
    key: writer.key({ ...bought, licenseKey: key, now: noon }),
    link: writer.link({ ...lifetime, link, now: noon }),
    replaced: writer.replaced({ ...bought, replacedAt: noon, oldLastFour: 'X5SX' }),
    ending: writer.ending({ ...bought, ending: { reason: 'canceled', endsAt: later(day) }, now: noon }),
    lost: writer.lost({
      licenses: [
        { ...bought, licenseKey: key, link },
        { ...lifetime, licenseKey: null, link },
      ],
      now: noon,
    }),
    test: writer.test(),
  };
}

describe('a mail to a buyer, in a browser', () => {
  const browser = borrowChromium();
  let server: Server;
  let shown = '';

  before(async () => {
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(shown);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
  });

  it('is read by everyone and fits every screen', async () => {
    const { writer } = (await mailTakenBy(async () => ({ outcome: 'sent' }))()) ?? {};
    if (writer === undefined) throw new Error('there is no mail');
    const tab = await openTab(browser(), { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await serveImages(tab);
    const [square = '', huge = ''] = imageUrls;
    for (const [name, iconUrl] of [
      ['Sketchpad', square],
      ['W'.repeat(200), imageUrls.at(-1) ?? ''],
      ['<img src=/x> \u202Eعربي', huge],
    ] as const) {
      for (const [kind, { html, subject }] of Object.entries(mailsOf(writer, name, iconUrl))) {
        shown = html;
        await tab.page.goto(`/${kind}`);
        expect(await tab.page.title()).to.equal(withoutReordering(subject));
        await expectSound(tab);
        if (name === 'Sketchpad') await keepScreenshot(tab, `mail-${kind}`);
      }
    }
    expectAsksFor(tab, [square, huge, imageUrls.at(-1) ?? '']);
    await tab.page.context().close();
  });
});
