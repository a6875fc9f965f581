import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { stylesOf } from './in-page.js';
import { expectNoViolation, expectSound, expectStill, openTab, screens, startSite } from './site.ts';

describe('the pages, as a reader prefers them,', () => {
  const browser = borrowChromium();
  let service: TestService;
  before(async () => {
    service = await startSite();
    const listing = aListing({ url: 'https://product.example/', featured: true, storefrontCount: 9000 });
    await service.container.get(tokens.listings).put([listing], aCall());
    await eventually(
      async () => (await fetch(`${service.url}/listings/quiet-editor`)).status,
      (status) => status === 200,
    );
  });
  after(() => service.stop());

  it('keep edges of tiles, badges and buttons in forced colors', async () => {
    const tab = await openTab(browser(), service, { viewport: screens.wide, forcedColors: 'active' });
    await tab.page.goto('/');
    for (const part of ['.tile', '.badge', '.button']) {
      const { borderTopStyle, borderTopColor, color } = await tab.page.locator(part).first().evaluate(stylesOf);
      expect([borderTopStyle, borderTopColor], part).to.deep.equal(['solid', color]);
    }
    await expectStill(tab);
    await expectNoViolation(tab);
    await tab.page.context().close();
  });

  it('draw lines as strong as the edges of fields where more contrast is wanted', async () => {
    const edges: string[][] = [];
    for (const contrast of ['more', 'no-preference'] as const) {
      const { page } = await openTab(browser(), service, { contrast });
      await page.goto('/');
      const [card, field] = [
        await page.locator('.card').first().evaluate(stylesOf),
        await page.locator('#q').evaluate(stylesOf),
      ];
      edges.push([card.borderTopColor, field.borderTopColor]);
      await page.context().close();
    }
    const [[strong, field], [faint]] = edges as [[string, string], [string, string]];
    expect(strong).to.equal(field).and.not.equal(faint);
  });

  it('fade nothing where motion is not wanted', async () => {
    const durations: string[] = [];
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const { page } = await openTab(browser(), service, { reducedMotion });
      await page.goto('/');
      durations.push((await page.locator('.card').first().evaluate(stylesOf)).transitionDuration);
      await page.context().close();
    }
    expect(durations[0]).to.equal('0s');
    expect(durations[1]).to.not.equal('0s');
  });

  it('print the listings on white, without what needs a screen', async () => {
    const { page } = await openTab(browser(), service, { colorScheme: 'dark' });
    await page.goto('/');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const part of ['header nav', '.search', '.pages']) expect(await page.isVisible(part), part).to.equal(false);
    expect(await page.isVisible('.card h3 >> nth=0')).to.equal(true);
    expect((await page.locator('.card').first().evaluate(stylesOf)).backgroundColor).to.equal('rgb(255, 255, 255)');
    await page.context().close();
  });

  it('turn around where text runs from right to left', async () => {
    const tab = await openTab(browser(), service);
    const { page } = tab;
    await page.route(isPage, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<html lang="en" ?>/, '<html lang="en" dir="rtl">');
      await route.fulfill({ response, body });
    });
    for (const path of ['/', '/waitlist', '/listings/quiet-editor']) {
      await page.goto(path);
      await expectSound(tab);
      for (const size of [screens.phone, screens.wide]) {
        await page.setViewportSize(size);
        const brand = await page.locator('body > header .brand').boundingBox();
        expect((brand?.x ?? 0) + (brand?.width ?? 0), path).to.be.within(size.width * 0.9, size.width);
      }
    }
    expect((await page.locator('.offer .icon').evaluate(stylesOf)).transform).to.equal('matrix(-1, 0, 0, 1, 0, 0)');
    await page.context().close();
  });
});

function isPage({ pathname }: URL): boolean {
  return !pathname.startsWith('/assets/');
}
