import { expect } from 'chai';
import { englishTexts } from '../../../adapters/web/markup/buyer-texts.ts';
import { Layout } from '../../../adapters/web/markup/layout.ts';
import { Words } from '../../../adapters/web/markup/words.ts';
import { createAssets } from '../../../adapters/web/page/assets.ts';
import { referenceRoute } from '../../../adapters/web/reference/reference-route.ts';
import { aCall } from '../../support/builders.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';
import { getPage } from '../../support/web/page-client.ts';
import { site } from '../../support/web/site.ts';

describe('the API reference', () => {
  const service = freshService(memory);

  it('loads Swagger UI from its own server, compressed', async () => {
    const { status, headers, text } = await getPage(`${service().url}/docs`);
    expect([status, headers['content-security-policy']?.includes('unsafe')]).to.deep.equal([200, false]);
    const [, library = ''] = /<script defer src="([^"]+)"/.exec(text) ?? [];
    const script = await getPage(service().url + library, { headers: { 'Accept-Encoding': 'br' } });
    expect([script.status, script.headers['content-encoding']]).to.deep.equal([200, 'br']);
    expect(script.bytes.length).to.be.within(100_000, 600_000);
    expect(text).to.include('data-document="/openapi.json"');
  });

  it('says what is missing where Swagger UI is not installed', async () => {
    const layout = new Layout({
      site,
      baseUrl: () => 'https://shop.example',
      basePath: '',
      isForBuyers: false,
      hasLicensePage: false,
      words: new Words(englishTexts, 'en'),
      mailsLostKeys: false,
      assets: createAssets(site),
    });
    const nothing = { assets: [], stylesheets: [], library: null, scripts: [] };
    const route = referenceRoute(nothing, layout, { cacheControl: 'public', contentPolicy: '' });
    const form = new URLSearchParams();
    const { status, content } = await route.handle({
      call: aCall(),
      parameters: {},
      query: '',
      form,
      header: () => '',
    });
    expect(status).to.equal(200);
    expect(String(content)).to.include('the package <code>swagger-ui-dist</code> is not installed');
    expect(String(content)).to.include('href="/openapi.json"').and.not.include('<script');
  });
});
