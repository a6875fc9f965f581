import { expect } from 'chai';
import { version } from '../../../../app/service/release.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { commonHeaders, contentHeaders, corsHeaders, refused, succeeded } from '../../../support/http/replies.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const metadata = '/.well-known/oauth-protected-resource';
const unsupported = refused(
  400,
  'unsupported_api_version',
  'The API-Version header must be absent or one of: 2026-07-18.',
);

const paths: readonly (readonly [path: string, allow: string])[] = [
  ['/api/licenses/verify', 'POST, OPTIONS'],
  ['/api/app-entitlements/ent_1', 'GET, HEAD, OPTIONS'],
  ['/api/app-entitlements/ent_1/cancel', 'POST, OPTIONS'],
  ['/api/app-entitlements/ent_1/resume', 'POST, OPTIONS'],
  [metadata, 'GET, HEAD, OPTIONS'],
  ['/', 'GET, HEAD, OPTIONS'],
  ['/livez', 'GET, HEAD, OPTIONS'],
  ['/readyz', 'GET, HEAD, OPTIONS'],
];

const versions: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ['an unknown date', ['2026-07-19']],
  ['what is no date', ['latest']],
  ['nothing', ['']],
  ['the current date on two lines', ['2026-07-18', '2026-07-18']],
];

describe('a service', () => {
  const service = freshService(memory);

  it('describes itself to clients', async () => {
    const reply = await service().send(metadata);
    expect(reply.headers['etag']).to.match(/^W\/"[\w-]{22}"$/);
    expect(reply).to.deep.equal({
      status: 200,
      headers: {
        ...contentHeaders,
        ...corsHeaders,
        'cache-control': 'public, max-age=3600',
        vary: 'API-Version',
        etag: reply.headers['etag'],
      },
      body: {
        resource: service().url,
        resource_name: 'Latchkey',
        scopes_supported: [
          'read:listings',
          'write:waitlist',
          'read:licenses',
          'read:entitlements',
          'write:entitlements',
        ],
        bearer_methods_supported: ['header'],
      },
    });
  });

  for (const probe of ['/livez', '/readyz']) {
    it(`answers ${probe}`, async () => {
      const body = { success: true, correlationId: requestId };
      expect(await service().send(probe)).to.deep.equal(succeeded(body));
    });
  }

  it('refuses the methods that a path does not have', async () => {
    for (const [path, allow] of paths) {
      const cors = path === metadata || path.includes('licenses') ? corsHeaders : {};
      const message = 'This path does not support this method.';
      const reply = refused(405, 'method_not_allowed', message, { ...cors, allow });
      expect(await service().send(path, { method: 'DELETE' })).to.deep.equal(reply);
    }
  });

  it('says which methods a path has', async () => {
    for (const [path, allow] of paths) {
      const { status, headers, body } = await service().send(path, { method: 'OPTIONS' });
      expect([status, headers['allow'], body]).to.deep.equal([204, allow, undefined]);
      expect(headers).to.include(commonHeaders);
    }
  });

  it('refuses an unknown version on every path', async () => {
    for (const [path, allow] of paths) {
      const method = allow.startsWith('POST') ? 'POST' : 'GET';
      for (const [what, lines] of versions) {
        const headers = lines.map((line) => `API-Version: ${line}`);
        const { status, headers: fields } = await service().send(path, { method, headers });
        expect([status, fields['error-code']], `${path}: ${what}`).to.deep.equal([400, 'unsupported_api_version']);
      }
    }
  });

  it('says at its root what it is, with links', async () => {
    const { status, headers, body } = await service().send('/');
    expect([status, headers]).to.deep.equal([200, { ...contentHeaders, vary: 'Accept' }]);
    const { links, ...info } = body as { readonly links: Record<string, string> };
    expect(info).to.deep.equal({ name: 'Latchkey', release: version, edition: '2026-07-18' });
    expect(Object.keys(links)).to.deep.equal(['openapi', 'listings', 'metadata', 'live', 'ready']);
    for (const path of Object.values(links)) expect((await service().send(path)).status, path).to.equal(200);
  });

  it('names the versions that it knows', async () => {
    const headers = ['API-Version: 2020-01-01'];
    expect(await service().send('/livez', { headers })).to.deep.equal(unsupported);
  });
});

it('a service describes the address that its clients use', async () => {
  const publicUrl = 'https://keys.example.com/latchkey';
  const service = await startService(memory, { publicUrl });
  try {
    const reply = await service.send(`${metadata}/latchkey`);
    expect(reply.body).to.have.property('resource', publicUrl);
    const { headers } = await service.send('/api/app-entitlements/ent_1');
    const url = `https://keys.example.com${metadata}/latchkey`;
    expect(headers['www-authenticate']).to.equal(`Bearer resource_metadata="${url}"`);
  } finally {
    await service.stop();
  }
});
