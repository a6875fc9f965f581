import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { aCall, aSignUp } from '../../support/builders.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectSound, openTab, screens } from '../pages/site.ts';
import { expectHeading, press, signedIn, signIn, startShop } from './shop.ts';

const email = 'brand@example.com';

describe('an invitation of a brand in a browser', () => {
  const browser = borrowChromium();

  it('leads from the waitlist to a key that signs in, once', async () => {
    await using shop = await startShop();
    await portsIn(shop.service.container).waitlist.join(aSignUp({ email, name: 'Brand', role: 'brand' }), aCall());
    const inviting = await signedIn(browser(), shop, { javaScriptEnabled: true });
    const { page } = inviting;
    await page.goto('/console/waitlist');
    await expectSound(inviting);
    await page.getByRole('button', { name: `Invite ${email}` }).click();
    await expectHeading(page, 'Invite somebody of the waitlist');
    await expectSound(inviting);
    await page.locator('#products').fill('sketchpad');
    await press(page, 'Make the link');
    await expectHeading(page, 'The link is ready');
    await expectSound(inviting);
    const link = (await page.getByRole('textbox', { name: 'Link' }).textContent()) ?? '';

    const invited = await openTab(browser(), shop, { viewport: screens.wide });
    await invited.page.goto(new URL(link, shop.url).pathname);
    await expectHeading(invited.page, 'Get your key');
    await expectSound(invited);
    await press(invited.page, 'Get your key');
    await expectSound(invited);
    const key = (await invited.page.locator('.secret, [role="textbox"]').first().textContent()) ?? '';
    expect(key.trim()).to.match(/^svc_op_live_/);
    await invited.page.goto('/console');
    await signIn(invited.page, key.trim());
    await expectHeading(invited.page, 'Overview');
    await invited.page.goto(new URL(link, shop.url).pathname);
    expect(await invited.page.getByRole('button', { name: 'Get your key' }).count()).to.equal(0);
    expect([inviting.complaints, invited.complaints.filter((each) => !each.includes('404'))]).to.deep.equal([[], []]);
  });
});
