import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { aCall, hour } from '../../support/builders.ts';
import { consolePages } from '../../support/web/console-operations.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { openTab } from '../pages/site.ts';
import { everyPage, everyRoute } from './every-page.ts';
import { expectHeading, follow, press, shopOfSuite, signedIn, signIn } from './shop.ts';

describe('the console in a browser refuses', () => {
  const browser = borrowChromium();
  const shop = shopOfSuite();

  async function issueKey(
    scopes: readonly ['admin:read'] | readonly ['admin:waitlist'],
  ): Promise<readonly [string, string]> {
    const request = { id: null, name: 'Support desk', products: null, scopes, expiresAt: null };
    const { issued, key } = await shop().administration.issueOperatorKey(request, aCall());
    return [issued.id, key ?? ''];
  }

  const versionOf = async (id: string): Promise<number> =>
    (await shop().administration.showEntitlement(id, aCall())).version;

  it('each page without its scope, which it names, and leads to none of them', async () => {
    const [, reader] = await issueKey(['admin:read']);
    const { page } = await signedIn(browser(), shop(), {}, reader);
    const scopes = new Map(consolePages.map(({ id, path, access }) => [`${id} ${path}`, access]));
    expect(new Set(scopes.values())).to.include('admin:entitlements').and.to.include('admin:waitlist');
    const routes = everyRoute(shop());
    let refused = 0;
    for (const path of everyPage(shop())) {
      const status = (await page.goto(path))?.status();
      if (status === 403) {
        if (routes.includes(path)) refused += 1;
        expect(await page.locator('main').textContent(), path).to.match(
          /admin:(?:entitlements|catalog|waitlist|access)/,
        );
      } else {
        const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
        expect(
          links.filter((href) => /\/(?:revoke|grant|issue|add|import|waitlist|delete)$/.test(href ?? '')),
          path,
        ).to.deep.equal([]);
      }
    }
    const changing = consolePages.filter(
      ({ method, path, access }) =>
        method === 'GET' && !path.endsWith('.csv') && access !== 'admin:read' && access !== null,
    );
    expect(refused).to.equal(changing.length);
    await page.context().close();
  });

  it('a session whose key was revoked, and leads to the form', async () => {
    const [id, key] = await issueKey(['admin:read']);
    const { page } = await signedIn(browser(), shop(), {}, key);
    await follow(page, 'Entitlements');
    expect(await page.locator('h1').textContent()).to.match(/^Entitlements \d+$/);
    await shop().administration.revokeOperatorKey(id, aCall());
    await follow(page, 'Events');
    await expectHeading(page, 'Sign in to the console');
    await signIn(page, key);
    await expectHeading(page, 'Sign in to the console');
    expect(await page.getByRole('alert').count()).to.equal(1);
    expect(await page.getByLabel('Operator key').inputValue()).to.equal('');
    await page.context().close();
  });

  it('a form of a session that has ended, changes nothing, and leads on after signing in', async () => {
    const { page } = await signedIn(browser(), shop());
    await page.goto('/console/entitlements/ent_sale_3/revoke');
    const before = await versionOf('ent_sale_3');
    shop().clock.move(2 * hour);
    await press(page, 'Revoke entitlement');
    expect(await page.locator('main').textContent()).to.include('Nothing was changed');
    expect(await versionOf('ent_sale_3')).to.equal(before);
    await page.goto('/console/entitlements/ent_sale_3/revoke');
    await signIn(page, shop().operatorKey);
    await expectHeading(page, 'Revoke this entitlement?');
    await page.context().close();
  });

  it('a change of a version that nobody sees any more, and shows both', async () => {
    const { page } = await signedIn(browser(), shop());
    await page.goto('/console/entitlements/ent_sale_5/revoke');
    await shop().administration.runEntitlementCommand('ent_sale_5', { kind: 'suspend' }, aCall());
    await press(page, 'Revoke entitlement');
    await expectHeading(page, 'It changed while you were looking');
    expect(await page.locator('main').textContent())
      .to.include('You saw')
      .and.include('Now');
    expect((await shop().administration.showEntitlement('ent_sale_5', aCall())).status).to.equal('suspended');
    await page.context().close();
  });

  it('the form of another origin, even one of this machine that has the token', async () => {
    const { page } = await signedIn(browser(), shop());
    await page.goto('/console/entitlements/ent_sale_7/revoke');
    const token = await page.locator('main input[name=token]').inputValue();
    const action = `${shop().url}/console/entitlements/ent_sale_7/revoke`;
    const before = await versionOf('ent_sale_7');
    const form = `<form method="post" action="${action}"><input name="token" value="${token}"><input name="version" value="${before}"><button>Win</button></form>`;
    const foreign = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(form);
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const [response] = await Promise.all([page.waitForResponse(action), press(page, 'Win')]);
    expect([response.status(), response.headers()['error-code']]).to.deep.equal([403, 'foreign_origin']);
    expect(await versionOf('ent_sale_7')).to.equal(before);
    await page.context().close();
    foreign.close();
    foreign.closeAllConnections();
  });

  it('a key that it does not know, and sends nothing back that was typed', async () => {
    const { page } = await openTab(browser(), shop(), { javaScriptEnabled: false });
    await page.goto('/console');
    await signIn(page, 'svc_op_live_a-wrong-guess');
    expect(await page.content()).to.not.include('a-wrong-guess');
    expect(await page.getByRole('alert').count()).to.equal(1);
    await page.context().close();
  });
});
