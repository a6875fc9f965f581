import { expect } from 'chai';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { noon } from '../../../support/builders.ts';
import { AdminClient, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { appKeys, operatorKeys } from '../../../support/http/fixtures.ts';
import { requestId, send } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { committedAdmin, operationsOf } from '../../../support/openapi/document.ts';
import { memory } from '../../../support/stores/stores.ts';

const unauthorized = [
  401,
  'invalid_operator_key',
  'A valid operator key is needed: Authorization: Bearer <OPERATOR_KEY>.',
];

/** The operations that need a key, at paths of things that do not exist. */
const operations = operationsOf(committedAdmin).flatMap(({ path, method, operation }) => {
  const scope = Object.values(operation.security[0] ?? {}).flat()[0];
  return typeof scope === 'string'
    ? [{ scope, method, path: path.replaceAll(/\{\w+\}/g, 'none'), id: operation.operationId }]
    : [];
});

const only = (scope: string): string => `svc_op_live_only-${scope.replace(':', '-')}`;
const allBut = (scope: string): string => `svc_op_live_all-but-${scope.replace(':', '-')}`;

/** The scopes of operations by the beginning of their path. GET needs `admin:read`, except on the waitlist. */
const scopesByPath = {
  '/admin/entitlements/none/sale': 'admin:affiliates',
  '/admin/entitlements': 'admin:entitlements',
  '/admin/products/none/tiers': 'admin:catalog',
  '/admin/products': 'admin:access',
  '/admin/trials': 'admin:entitlements',
  '/admin/app-keys': 'admin:access',
  '/admin/operators': 'admin:access',
  '/admin/listings': 'admin:catalog',
  '/admin/stripe': 'admin:catalog',
  '/admin/affiliates': 'admin:affiliates',
  '/admin/promotions': 'admin:affiliates',
  '/admin/sales': 'admin:affiliates',
  '/admin/statements': 'admin:affiliates',
  '/admin/waitlist/invite': 'admin:access',
  '/admin/waitlist': 'admin:waitlist',
  '/admin/webhooks': 'admin:access',
  '/admin/signing-keys': 'admin:access',
};

describe('the scopes of the administration', () => {
  it('are those of the interface', () => {
    for (const { scope, method, path } of operations) {
      const [, change] = Object.entries(scopesByPath).find(([prefix]) => path.startsWith(prefix)) ?? [];
      // A URL of a webhook endpoint can contain a credential, and the waitlist and affiliates have addresses.
      const isGuarded =
        ['admin:affiliates', 'admin:waitlist'].includes(change ?? '') || path.startsWith('/admin/webhooks');
      const isRead = path === '/admin/licenses/find' || (method === 'GET' && !isGuarded);
      const needed = isRead ? 'admin:read' : change;
      expect(scope, `${method} ${path}`).to.equal(needed);
    }
    expect(operations).to.have.length(operationsOf(committedAdmin).length - 1); // all but the document
  });

  it('are listed in the description of the operator key, with the operations that each allows', () => {
    const description = String(committedAdmin.components.securitySchemes['OperatorKey']?.['description']);
    const listed = [...description.matchAll(/^- `(.+?)`: (.+)$/gm)].map(([, scope, ids = '']) => [
      scope,
      ids.split(', ').toSorted(),
    ]);
    const allowed = operatorScopes.map((scope) => [
      scope,
      operations.flatMap((operation) => (operation.scope === scope ? [`\`${operation.id}\``] : [])).toSorted(),
    ]);
    expect(listed).to.deep.equal(allowed);
  });
});

describe('every operation of the administration', () => {
  const admin = freshAdmin(memory);

  it('is refused without a usable operator key, whatever else is wrong', async () => {
    await admin().service.addOperatorKey('svc_op_live_revoked', { id: 'opk_2', revokedAt: noon });
    await admin().service.addOperatorKey('svc_op_live_expired', { id: 'opk_3', expiresAt: noon });
    for (const { method, path } of operations) {
      const none = await admin().send(method, path, { key: null });
      expect(outcomeOf(none)).to.deep.equal(unauthorized);
      expect(none.headers['www-authenticate']).to.equal('Bearer');
      for (const key of ['svc_op_live_unknown', 'svc_op_live_revoked', 'svc_op_live_expired', appKeys.full]) {
        const reply = await admin().send(method, path, { key, body: { wrong: true } });
        expect(outcomeOf(reply), `${method} ${path} ${key}`).to.deep.equal(unauthorized);
        expect(reply.headers['www-authenticate']).to.equal('Bearer error="invalid_token"');
      }
    }
  });

  it('is refused without its scope before its body is read, and open with that scope alone', async () => {
    for (const scope of operatorScopes) {
      await admin().service.addOperatorKey(only(scope), { id: `only_${scope}`, scopes: [scope] });
      const others = operatorScopes.filter((other) => other !== scope);
      await admin().service.addOperatorKey(allBut(scope), { id: `not_${scope}`, scopes: others });
    }
    for (const { scope, method, path } of operations) {
      const refused = await admin().send(method, path, { key: allBut(scope), body: { wrong: true } });
      expect(outcomeOf(refused), `${method} ${path}`).to.deep.equal([
        403,
        'insufficient_scope',
        'The key lacks the scope that this operation needs.',
      ]);
      expect(refused.headers['www-authenticate']).to.equal(`Bearer error="insufficient_scope", scope="${scope}"`);
      const open = await admin().send(method, path, { key: only(scope), body: { wrong: true } });
      expect(open.status, `${method} ${path}`).not.to.be.oneOf([401, 403]);
    }
  });

  it('is stored by no cache and shared with no other origin', async () => {
    for (const { method, path } of [...operations, { method: 'GET', path: '/admin/openapi.json' }]) {
      const { headers } = await admin().send(method, path, { headers: ['Origin: https://shop.example'] });
      expect(headers['cache-control']).to.equal('no-store');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    }
  });

  it('does not exist on the public port, for any key', async () => {
    for (const { method, path } of operations) {
      for (const key of [operatorKeys.full, appKeys.full]) {
        const reply = await send(admin().service.url + path, { method, headers: [bearer(key)] });
        expect(outcomeOf(reply)).to.deep.equal([404, 'not_found', 'Not found.']);
      }
    }
  });
});

describe('the admin port', () => {
  const admin = freshAdmin(memory);

  it('refuses an operator key on the operations of app keys as any other wrong key', async () => {
    const path = '/api/app-entitlements/ent_1';
    const reply = await admin().service.send(path, { headers: [bearer(operatorKeys.full)] });
    expect(outcomeOf(reply).slice(0, 2)).to.deep.equal([401, 'invalid_app_key']);
    expect(reply.body).to.deep.equal((await admin().service.send(path, { headers: [bearer('svc_sk_live_x')] })).body);
  });

  it('checks path, method, version, key, scope, media type and body in this order', async () => {
    await admin().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    const codes: unknown[] = [];
    const version = ['API-Version: 1999-01-01'];
    const put = (headers: readonly string[], key: string | null, body?: string): Promise<unknown> =>
      send(`${admin().service.adminUrl}/admin/products/prod_1`, {
        method: 'PUT',
        headers: [...headers, ...(key === null ? [] : [bearer(key)])],
        ...(body !== undefined && { body }),
      }).then((reply) => codes.push(outcomeOf(reply)[1]));
    codes.push(outcomeOf(await admin().send('PUT', '/admin/nothing', { headers: version }))[1]);
    codes.push(outcomeOf(await admin().send('PATCH', '/admin/products/prod_1', { headers: version }))[1]);
    await put(version, null, 'x');
    await put([], null, 'x');
    await put([], operatorKeys.reader, 'x');
    await put([], operatorKeys.full, 'x');
    await put(['Content-Type: application/json'], operatorKeys.full, 'x');
    expect(codes).to.deep.equal([
      'not_found',
      'method_not_allowed',
      'unsupported_api_version',
      'invalid_operator_key',
      'insufficient_scope',
      'unsupported_media_type',
      'invalid_body',
    ]);
  });

  it('names the methods of a path, with HEAD and OPTIONS', async () => {
    const reply = await admin().send('PATCH', '/admin/products/prod_1');
    expect(reply.headers['allow']).to.equal('PUT, OPTIONS');
    const options = await admin().send('OPTIONS', '/admin/operators', { key: null });
    expect([options.status, options.headers['allow']]).to.deep.equal([204, 'GET, HEAD, POST, OPTIONS']);
    expect((await admin().send('HEAD', '/admin/products')).status).to.equal(200);
  });

  it('logs and measures each request, with its operation', async () => {
    await admin().get('/admin/products');
    const line = admin().service.logged.find(({ operation }) => operation === 'listProducts');
    expect(line).to.include({ message: 'request', method: 'GET', route: '/admin/products', status: 200 });
    const metrics = await (await fetch(`${admin().service.adminUrl}/metrics`)).text();
    expect(metrics).to.include('latchkey_requests_total{operation="listProducts",edition="2026-07-18",status="200"} 1');
    expect(metrics).to.include('latchkey_errors_total{operation="putProduct",code="internal_error"} 0');
    expect(metrics).not.to.match(/operation="(metrics|live|ready)"[^\n]*edition/);
  });
});

describe('the log of the administration', () => {
  const start = populatedServices();

  it('says at every LOG_LEVEL who changed what', async () => {
    for (const logLevel of ['trace', 'info', 'warn', 'error', 'fatal'] as const) {
      const service = await start({ adminPort: 0, logLevel });
      await service.addOperatorKey(operatorKeys.full);
      const admin = new AdminClient(service);
      await admin.put('/admin/products/prod_2', { name: 'Sketchpad' });
      const change = { command: 'product add', productId: 'prod_2', by: 'operator:opk_1', correlationId: requestId };
      expect(admin.changes, logLevel).to.deep.equal([change]);
      const requests = service.logged.filter(({ message }) => message === 'request');
      expect(requests.length, logLevel).to.equal(logLevel === 'trace' || logLevel === 'info' ? 1 : 0);
    }
  });
});
