import { expect } from 'chai';
import { defaultSettings, resolveForCommand } from '../../../app/settings/resolve.ts';
import { populatedServices } from '../../support/http/service-hooks.ts';
import { getPage } from '../../support/web/page-client.ts';

describe('the settings of the pages', () => {
  const start = populatedServices();

  it('turn all pages off', async () => {
    const service = await start({ pages: 'off' });
    const root = await getPage(service.url);
    expect([root.status, root.headers['content-type'], root.headers['vary']]).to.deep.equal([
      200,
      'application/json',
      undefined,
    ]);
    for (const path of ['/listings/quiet-editor', '/waitlist', '/docs', '/robots.txt', '/sitemap.xml', '/assets/x']) {
      const { status, headers } = await getPage(service.url + path);
      expect([status, headers['content-type']], path).to.deep.equal([404, 'application/json']);
    }
  });

  it('leave pages for buyers alone: no marketplace, waitlist, reference or sitemap', async () => {
    const service = await start({ pages: 'buyers' });
    const root = await getPage(service.url);
    expect([root.status, root.headers['content-type'], root.headers['vary']]).to.deep.equal([
      200,
      'application/json',
      undefined,
    ]);
    const robots = await getPage(`${service.url}/robots.txt`);
    expect([robots.status, robots.text]).to.deep.equal([200, 'User-agent: *\nDisallow: /\n']);
    for (const path of [
      '/listings/quiet-editor',
      '/waitlist',
      '/waitlist/joined',
      '/docs',
      '/sitemap.xml',
      '/sitemaps/1.xml',
    ]) {
      const { status, text } = await getPage(service.url + path);
      expect(status, path).to.equal(404);
      expect(text)
        .to.include('Page not found')
        .and.include('<a class="brand" href="/license"')
        .and.not.include('marketplace');
      const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
      expect((await getPage(service.url + stylesheet)).status).to.equal(200);
    }
    expect((await service.send('/api/marketplace/listings')).status).to.equal(200);
  });

  it('name the site, its logo, its color and the links in its footer', async () => {
    const service = await start({
      siteName: 'Shop <1>',
      siteLogo: 'https://cdn.example/logo.svg',
      siteAccent: '#ffe066',
      siteLinks: [{ label: 'Terms & more', url: 'https://shop.example/terms' }],
      siteHelp: 'mailto:help@shop.example',
    });
    const { text, headers } = await getPage(`${service.url}/waitlist`);
    expect(text).to.include('<title>Join the waitlist · Shop &lt;1&gt;</title>');
    expect(text).to.include('<img src="https://cdn.example/logo.svg" alt=""');
    expect(text).to.include('<a href="https://shop.example/terms">Terms &amp; more</a>');
    expect(text).to.include('<a href="mailto:help@shop.example">Help</a>');
    expect(headers['content-security-policy']).to.include("img-src 'self' data: https://cdn.example;");
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const css = (await getPage(service.url + stylesheet)).text;
    expect(css).to.match(/^:root\{--accent:#ffe066;--on-accent:#000\}/);
    expect(defaultSettings).to.deep.include({ pages: 'on', siteName: 'Latchkey', siteLogo: null, siteLinks: null });
  });

  it('say who runs the site, and where its privacy notice and help are, also below the address of a sign-up', async () => {
    const service = await start({
      siteLinks: [{ label: 'Terms', url: '/terms' }],
      siteOwner: 'Sketchpad <Software>, Dublin',
      sitePrivacy: 'https://shop.example/privacy',
      siteHelp: 'mailto:help@shop.example',
    });
    const { text } = await getPage(`${service.url}/waitlist`);
    expect(text).to.include('<p class="imprint" dir="auto">Run by Sketchpad &lt;Software&gt;, Dublin</p>');
    const links = [...text.slice(text.indexOf('<footer>')).matchAll(/<a href="([^"]+)">([^<]+)</g)];
    expect(links.map(([, href, label]) => [label, href])).to.deep.equal([
      ['Terms', '/terms'],
      ['Privacy', 'https://shop.example/privacy'],
      ['Help', 'mailto:help@shop.example'],
    ]);
    const form = text.slice(text.indexOf('<form'), text.indexOf('</form>'));
    expect(form).to.match(/name="email"[^]*<a href="https:\/\/shop\.example\/privacy">Privacy<\/a>[^]*name="name"/);
    const silent = await getPage(`${(await start()).url}/waitlist`);
    expect(silent.text).to.not.include('imprint').and.not.include('Privacy').and.not.include('Help');
  });

  it('say what stands above the listings, and describes the site to search engines', async () => {
    const service = await start({ siteHeading: 'Tools & toys', siteTagline: 'Picked by <us>.' });
    const { text } = await getPage(service.url);
    expect(text)
      .to.include('<h1 dir="auto">Tools &amp; toys</h1>')
      .and.include('<p dir="auto">Picked by &lt;us&gt;.</p>');
    expect(text).to.include('<meta name="description" content="Picked by &lt;us&gt;." />');
    const byDefault = await start();
    expect((await getPage(byDefault.url)).text).to.include('<h1 dir="auto">Software worth recommending</h1>');
  });

  it('name the hosts of images, in any case, which the policy of every page then allows', async () => {
    const { siteImageHosts } = resolveForCommand(
      { flags: {}, file: null },
      { SITE_IMAGE_HOSTS: 'CDN.example, images.example:8443, localhost:8080' },
    );
    expect(siteImageHosts).to.deep.equal(['cdn.example', 'images.example:8443', 'localhost:8080']);
    const service = await start({ siteImageHosts, siteLogo: 'https://cdn.example/logo.svg' });
    for (const path of ['/', '/waitlist', '/docs']) {
      const { headers } = await getPage(service.url + path);
      expect(headers['content-security-policy'], path).to.include(
        "img-src 'self' data: https://cdn.example https://images.example:8443 https://localhost:8080 http://localhost:8080; ",
      );
    }
  });

  it('put the path of PUBLIC_URL before every link, and its host into addresses for others', async () => {
    const service = await start({ publicUrl: 'https://shop.example/market' });
    const { text } = await getPage(service.url);
    const local = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(local.filter((path) => !path.startsWith('/market/'))).to.deep.equal([]);
    expect(text).to.include('<link rel="canonical" href="https://shop.example/market/" />');
    const robots = await getPage(`${service.url}/robots.txt`);
    expect(robots.text).to.equal(
      'User-agent: *\nDisallow: /market/api/\nSitemap: https://shop.example/market/sitemap.xml\n',
    );
  });

  it('limit how often a client asks for pages, and answer with a page then', async () => {
    const service = await start({ rateLimits: { showMarketplace: 1 } });
    expect((await getPage(service.url)).status).to.equal(200);
    const { status, headers, text } = await getPage(service.url);
    expect([status, headers['error-code']]).to.deep.equal([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(text).to.include('<h1>Too many requests</h1>');
    expect((await service.send('/')).status).to.equal(200);
  });
});
