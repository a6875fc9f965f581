import { Agent } from 'node:https';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { appKeys } from '../support/http/fixtures.ts';
import { startPopulated } from '../support/http/service-hooks.ts';
import type { TestService } from '../support/http/test-service.ts';
import { range } from '../support/range.ts';
import { caddy, host, nginx, RunningProxy, type ProxyReply, type ProxyRequest } from './proxy.ts';

const operatorKey = 'svc_op_live_of-an-operator';
const unknownKey = JSON.stringify({ licenseKey: 'a-key-that-nobody-has-bought' });
const withKey = { Authorization: `Bearer ${appKeys.full}` };
const json = { 'Content-Type': 'application/json' };

/** The header fields by which a client lies about its address. */
const lies = (index: number): Readonly<Record<string, string>> => ({
  ...json,
  'X-Forwarded-For': `192.0.2.${index}`,
  Forwarded: `for=192.0.2.${index}`,
});

for (const program of [caddy, nginx]) {
  describe(program.file, () => {
    let proxy: RunningProxy;
    let service: TestService;
    before(async () => {
      const [tls = 0, plain = 0, upstream = 0] = await freePorts(3);
      service = await startPopulated({
        port: upstream,
        adminPort: 0,
        trustedProxies: ['loopback'],
        publicUrl: `https://${host}`,
        rateLimits: { verifyLicense: 2 },
      });
      await service.addOperatorKey(operatorKey);
      proxy = await RunningProxy.start(program, { tls, plain, upstream });
      const ready = await eventually(
        () =>
          proxy.send('/readyz').then(
            ({ status }) => status,
            (error: Error) => error.message,
          ),
        (status) => status === 200,
      );
      expect(ready, await proxy.log()).to.equal(200);
    });
    after(async () => {
      await proxy.stop();
      await service.stop();
    });

    const verify = (options: ProxyRequest): Promise<ProxyReply> =>
      proxy.send('/api/licenses/verify', { method: 'POST', headers: json, body: [unknownKey], ...options });

    it('passes on what the public port answers, whole', async () => {
      const direct = await (await fetch(`${service.url}/openapi.json`)).text();
      const { status, body } = await proxy.send('/openapi.json');
      expect(status).to.equal(200);
      expect(body).to.equal(direct);
      expect(body.length).to.be.above(64 * 1024);
    });

    it('reports the address of each client, whatever the client says of itself', async () => {
      const answers = [];
      for (const index of range(3)) answers.push((await verify({ from: '127.0.0.2', headers: lies(index) })).status);
      expect(answers).to.deep.equal([200, 200, 429]);
      expect((await verify({ from: '127.0.0.3' })).status).to.equal(200);
    });

    it('has no way to the admin port', async () => {
      const headers = { Authorization: `Bearer ${operatorKey}` };
      const admin = await fetch(`${service.adminUrl}/admin/entitlements`, { headers });
      expect(admin.status).to.equal(200);
      const roots = ['/admin/entitlements', '/admin/openapi.json', '/console', '/console/sign-in', '/metrics'];
      const disguises = [
        '//admin/entitlements',
        '/%61dmin/entitlements',
        '/x/../admin/entitlements',
        '/docs/..%2fadmin/',
      ];
      const hosts = [host, '127.0.0.1:9100', new URL(service.adminUrl ?? '').host];
      for (const path of [...roots, ...disguises]) {
        for (const name of hosts) {
          const { status, body } = await proxy.send(path, { headers: { ...headers, Host: name } });
          if (name === host) expect(status, path).to.be.oneOf([400, 404]);
          // Caddy answers 200 without content for a name that is not its own.
          else expect(status === 200 ? body : '', `${path} of ${name}`).to.equal('');
        }
      }
    });

    it('passes on the parts of a body as they come, without a length', async () => {
      const [first, second] = [unknownKey.slice(0, 20), unknownKey.slice(20)];
      const { status, body } = await verify({ from: '127.0.0.4', body: [first, second] });
      expect([status, (JSON.parse(body) as { valid: boolean }).valid]).to.deep.equal([200, false]);
    });

    it('leaves the limits of bodies to Latchkey, and refuses what none of its operations takes', async () => {
      const large = JSON.stringify({ licenseKey: 'x'.repeat(20_000) });
      const { status, headers } = await verify({ from: '127.0.0.5', body: [large] });
      expect([status, headers['error-code']]).to.deep.equal([413, 'payload_too_large']);
      const length = { ...json, 'Content-Length': String(2 * 1024 * 1024) };
      const huge = await verify({ from: '127.0.0.5', headers: length, body: ['x'] }).catch(() => null);
      expect(huge?.status ?? 413).to.equal(413);
    });

    it('waits with a client for an event', async () => {
      const { nextCursor } = JSON.parse((await proxy.send('/api/app-events', { headers: withKey })).body) as {
        nextCursor?: string;
      };
      const path = `/api/app-events?wait=30&cursor=${encodeURIComponent(nextCursor ?? '')}`;
      const waiting = proxy.send(path, { headers: withKey });
      const cancel = {
        method: 'POST',
        headers: { ...withKey, 'Idempotency-Key': 'from-behind-a-proxy-1' },
      };
      expect((await proxy.send('/api/app-entitlements/ent_1/cancel', cancel)).status).to.equal(200);
      expect((await waiting).body).to.include('entitlement.');
    });

    it('carries more requests than one connection of Latchkey does', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const statuses = new Set<number>();
      for (const _ of range(11)) {
        const replies = await Promise.all(range(100).map(() => proxy.send('/livez', { agent })));
        for (const { status } of replies) statuses.add(status);
      }
      agent.destroy();
      expect([...statuses]).to.deep.equal([200]);
    });

    it('redirects what comes without TLS, but nothing that may hold a key', async () => {
      const { status, headers } = await proxy.sendPlain('/docs?x=1');
      expect(status).to.equal(308);
      expect(headers['location']).to.match(new RegExp(`^https://${host}/docs\\?x=1$`));
      expect((await proxy.sendPlain('/api/licenses/verify', { method: 'POST', body: [unknownKey] })).status).to.equal(
        403,
      );
    });

    it('answers 502 without Latchkey, and logs no session of a checkout', async () => {
      await service.stop();
      const headers = { ...withKey, Referer: `https://${host}/claim?session_id=cs_test_of_a_buyer` };
      expect((await proxy.send('/claim?session_id=cs_test_of_a_buyer', { headers })).status).to.equal(502);
      expect((await proxy.sendPlain('/claim?session_id=cs_test_of_a_buyer', { headers })).status).to.equal(308);
      const log = await eventually(
        () => proxy.log(),
        (lines) => lines.includes('/claim'),
      );
      expect(log).to.include('/claim');
      expect(log).not.to.include('cs_test_of_a_buyer');
      expect(log).not.to.include(appKeys.full);
    });
  });
}
