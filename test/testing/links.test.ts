import { expect } from 'chai';
import { startLatchkey } from '../../testing/index.ts';
import { getPage, sendForm } from '../support/web/page-client.ts';

describe('links for buyers in the kit', () => {
  it('open the page of a license, change it with an event, and end by the clock', async () => {
    await using latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z' });
    const { entitlement } = await latchkey.grant({ productId: 'sketchpad' });
    const { entitlements } = latchkey.client('sketchpad');
    const { url, expiresAt } = await entitlements.createLink(entitlement.id, { returnUrl: 'https://shop.example/a' });
    expect([url.startsWith(`${latchkey.url}/license/links/`), expiresAt]).to.deep.equal([
      true,
      '2026-01-31T01:00:00.000Z',
    ]);
    const asked = await getPage(`${url}/cancel`);
    const version = /name="version" value="(\d+)"/.exec(asked.text)?.[1] ?? '';
    expect((await sendForm(`${url}/cancel`, { version })).status).to.equal(303);
    expect(await entitlements.get(entitlement.id)).to.include({ cancelAtPeriodEnd: true });
    const types = (await latchkey.events('sketchpad')).map(({ type }) => type);
    expect(types).to.include('entitlement.cancellation_scheduled');
    await latchkey.clock.advance('59m');
    expect((await getPage(url)).text).to.include('Back to shop.example');
    await latchkey.clock.advance('1m');
    expect((await getPage(url)).status).to.equal(404);
  });

  it('end all at once', async () => {
    await using latchkey = await startLatchkey();
    const { entitlement } = await latchkey.grant({ productId: 'sketchpad' });
    const { entitlements } = latchkey.client('sketchpad');
    const links = [await entitlements.createLink(entitlement.id), await entitlements.createLink(entitlement.id)];
    await entitlements.endLinks(entitlement.id);
    for (const { url } of links) expect((await getPage(url)).status).to.equal(404);
  });
});
