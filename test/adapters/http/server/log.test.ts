import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { currentEdition, Editions } from '../../../../adapters/http/editions.ts';
import { loggedPath } from '../../../../adapters/http/server/request-log.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aSubscription } from '../../../support/builders.ts';
import { failing } from '../../../support/failing.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { olderEdition } from '../../../support/http/older-edition.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

const license = 'a-license-key-of-a-buyer';
const issued = 'LK-01234-56789-ABCDE-FGHJK-MNPQR-STVWX';
const secrets = [
  issued,
  issued.slice(0, 15),
  license,
  appKeys.full,
  'svc_sk_live',
  'key-00000001',
  digest(appKeys.full),
  licenseDigest(license, digest),
];

const common = { correlationId: 'request-0001', message: 'request' };
const read = { ...common, method: 'GET', route: '/api/app-entitlements/:id', operation: 'getEntitlement' };
const verify = { ...common, method: 'POST', route: '/api/licenses/verify', operation: 'verifyLicense' };

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('the log', () => {
  const service = freshService(memory);

  it('has one line for each request, with its route, product and result', async () => {
    await service().grant(aSubscription());
    await service().read('ent_1');
    await service().verify({ licenseKey: license });
    await service().send('/nowhere', { method: 'DELETE' });
    expect(linesOf(service())).to.deep.equal([
      { ...read, product: 'prod_1', entitlementId: 'ent_1', status: 200 },
      { ...verify, product: null, status: 200 },
      {
        ...common,
        method: 'DELETE',
        route: '/nowhere',
        product: null,
        status: 404,
        errorCode: 'not_found',
      },
    ]);
  });

  it('names the entitlement if it was found, and never an unknown id', async () => {
    const revoked = { kind: 'revoked', at: service().now } as const;
    const known = aLicense({ digest: licenseDigest(license, digest) });
    await service().grant(aSubscription({ license: known }), aSubscription({ id: 'ent_ended', hold: revoked }));
    await service().verify({ licenseKey: license });
    await service().change('ent_1/cancel', 'key-00000001');
    await service().change('ent_1/cancel', 'key-00000001');
    await service().change('ent_ended/cancel', 'key-00000002');
    await service().change('ent_unknown/cancel', 'key-00000003');
    await service().change('ent_unknown/cancel', 'key-00000001');
    await service().send('/api/app-entitlements/ent_1');
    const seen = linesOf(service()).map(({ status, errorCode, entitlementId }) => [status, errorCode, entitlementId]);
    expect(seen).to.deep.equal([
      [200, undefined, 'ent_1'],
      [200, undefined, 'ent_1'],
      [200, undefined, 'ent_1'],
      [409, 'entitlement_ended', 'ent_ended'],
      [404, 'entitlement_not_found', undefined],
      [422, 'idempotency_key_reused', undefined],
      [401, 'invalid_app_key', undefined],
    ]);
  });

  it('has the trace of a caller that sends a valid traceparent', async () => {
    const lines = [`traceparent: ${parent}`, `traceparent: ${parent}g`];
    for (const line of lines) await service().send('/livez', { headers: [line] });
    await service().send('/livez', { headers: [lines[0] ?? '', lines[0] ?? ''] });
    const live = { ...common, method: 'GET', route: '/livez', operation: 'live', product: null, status: 200 };
    expect(linesOf(service())).to.deep.equal([{ ...live, traceId }, live, live]);
  });

  it('has the edition of a request only if that is superseded', async () => {
    const older = await startService(memory, { editions: new Editions([olderEdition]) });
    try {
      for (const edition of [currentEdition, olderEdition.date, '2000-01-01']) {
        await older.send('/livez', { headers: [`API-Version: ${edition}`] });
      }
      const live = { message: 'request', method: 'GET', route: '/livez', operation: 'live', product: null };
      expect(linesOf(older).map(({ correlationId: _id, ...line }) => line)).to.deep.equal([
        { ...live, status: 200 },
        { ...live, status: 200, edition: olderEdition.date },
        { ...live, status: 400, errorCode: 'unsupported_api_version' },
      ]);
    } finally {
      await older.stop();
    }
  });

  it('has what could be read of a request that is not HTTP', async () => {
    for (const bytes of [
      'GET /livez HTTP/1.1\r\nA\0: b\r\n\r\n',
      'GET /"a" HTTP/1.1\r\nA\0: b\r\n\r\n',
      '\0\r\n\r\n',
    ]) {
      const client = new RawClient(service().url);
      client.send(bytes);
      await client.read('GET');
      client.close();
    }
    const refused = { message: 'request', product: null, status: 400, errorCode: 'malformed_request' };
    expect(linesOf(service()).map(({ correlationId: _id, ...line }) => line)).to.deep.equal([
      { ...refused, method: 'GET', route: '/livez', operation: 'live' },
      { ...refused, method: 'GET', route: '/%22a%22' },
      refused,
    ]);
  });

  it('has no key, no license and no body in any line', async () => {
    await service().grant(aSubscription({ license: aLicense({ digest: licenseDigest(license, digest) }) }));
    await service().verify({ licenseKey: license });
    await service().verify({ licenseKey: [license] });
    await service().send('/api/licenses/verify', {
      method: 'POST',
      headers: [json],
      body: `{"licenseKey":"${license}`,
    });
    await service().send(`/api/licenses/verify?licenseKey=${license}`, { method: 'POST' });
    await service().read('ent_1');
    await service().send(`/api/app-entitlements/${appKeys.full}`, { headers: [bearer(`${appKeys.full}x`)] });
    await service().change('ent_1/cancel', 'key-00000001');
    await service().change('ent_1/resume', 'key-00000001');
    await service().send(`/api/licenses/${appKeys.full}/${issued}`);
    await service().send(`/${issued}/${'a'.repeat(40)}/${issued}`);
    expect(service().logged).to.have.lengthOf(10);
    expectNoSecret(service());
  });
});

it(`the log says where a fault came from, but not what was sent`, async () => {
  const service = await startService(memory, {
    rebind: (container) => {
      const licenses = container.get(tokens.licenses);
      const error = new SyntaxError(`unexpected ${license}`);
      const broken = failing(licenses, { method: 'find', nth: 1, when: 'before', error });
      container.rebind(tokens.licenses).toConstantValue(broken);
    },
  });
  try {
    const body = JSON.stringify({ licenseKey: license });
    await service.send('/api/licenses/verify', { method: 'POST', headers: [json, `traceparent: ${parent}`], body });
    const [fault] = service.logged;
    const context = { correlationId: 'request-0001', traceId };
    expect(fault).to.include({ level: 'error', message: 'internal_error', ...context });
    expect(fault).to.have.nested.property('err.name', 'SyntaxError');
    expect(fault).to.have.nested.property('err.at[0]').that.matches(/^at /);
    expectNoSecret(service);
  } finally {
    await service.stop();
  }
});

const paths: readonly (readonly [what: string, target: string, logged: string])[] = [
  ['as it is', '/a/b-c_d.e~f/(g)', '/a/b-c_d.e~f/(g)'],
  ['without its query', '/a?b=/c', '/a'],
  ['of an absolute target', 'http://elsewhere.test:81/a?b', '/a'],
  ['that is an asterisk', '*', '*'],
  ['up to 64 characters', `/${'a'.repeat(70)}`, `/${'a'.repeat(63)}`],
  ['with its own escapes', '/%00%2F', '/%00%2F'],
  ['with bytes beyond ASCII escaped', '/\u00e9\u009b31m', '/%E9%9B31m'],
  ['with quotes and brackets escaped', '/"<a>`\\{|}^', '/%22%3Ca%3E%60%5C%7B%7C%7D%5E'],
  ['without an app key', '/a/svc_sk_live_1234/b', '/a/***/b'],
  ['without a license key', '/LK-01234-56789-ABCDE-FGHJK-MNPQR-STVWX', '/***'],
  ['without a license key in lower case', '/lk0123456789', '/***'],
  ['without an address', '/a/ada@example.com/b', '/a/***/b'],
  ['without an escaped address', '/ada%40example.com', '/***'],
  ['without a session behind an escaped question mark', '/claim%3fsession_id=cs_test_a1', '/***'],
  ['without a session behind a semicolon', '/claim;cs_test_a1/b', '/***/b'],
  ['without a session that is escaped', '/claim/%63%73%5Ftest_a1', '/claim/***'],
  ['without a session whose escapes are escaped', '/claim/%2563s%255ftest_a1', '/claim/***'],
  ['without a session in capitals', '/claim=CS_TEST_A1', '/***'],
  ['without a session in one segment with others', '/a%2Fcs_live_a1%2Fb', '/***'],
  ['without a license key in a parameter', '/verify;key=LK-01234-56789-ABCDE', '/***'],
  ['without a license key with escaped hyphens', '/verify/LK%2d01234%2D56789', '/verify/***'],
  ['without a license key with spaces', '/verify/LK%2001234%2056789', '/verify/***'],
  ['without a license key with dashes', '/v/LK%E2%80%9301234%E2%80%9356789', '/v/***'],
  ['without a license key in full-width letters', '/v/%EF%BC%AC%EF%BC%AB01234%EF%BC%8D56789', '/v/***'],
  ['without a license key with invisible characters', '/v/L%E2%80%8BK01%C2%AD234', '/v/***'],
  ['without an imported license key with spaces', '/38B1460A%205104%204067%20A91D%2077B872934D51', '/***'],
  ['without an imported license key', '/x=38B1460A-5104-4067-A91D-77B872934D51', '/***'],
  ['without a doubly escaped address', '/a/ada%2540example.com', '/a/***'],
  ['without a key of Stripe', '/a/rk_live_1234', '/a/***'],
  [
    'with words that only contain such letters',
    '/talk-about/walkthrough-of-the-bulkheads',
    '/talk-about/walkthrough-of-the-bulkheads',
  ],
  ['without a secret that the cut would split', `/${'a'.repeat(60)}/svc_sk_live_1234`, `/${'a'.repeat(60)}/**`],
];

describe('an unknown path in the log', () => {
  for (const [what, target, logged] of paths) {
    it(`is shown ${what}`, () => expect(loggedPath(target)).to.equal(logged));
  }
});

/** The lines without what differs each time. */
function linesOf({ logged }: TestService): readonly Record<string, unknown>[] {
  return logged.map(({ time: _time, duration, level: _level, ...line }) => {
    expect(duration).to.be.a('number');
    return line;
  });
}

function expectNoSecret({ logged }: TestService): void {
  for (const line of logged) {
    for (const secret of secrets) expect(JSON.stringify(line)).not.to.include(secret);
  }
}
