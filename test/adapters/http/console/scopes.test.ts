import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { operatorScopes, type OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import {
  addStatement,
  anAffiliate,
  aPayment,
  aPromotion,
  aSale,
  aStatement,
} from '../../../support/affiliates/builders.ts';
import { aCall, aListing, aSignUp, aSubscription, noon } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { ConsoleClient, outcomeOf, sharedConsole } from '../../../support/web/console-client.ts';
import { consoleOperations, consolePages } from '../../../support/web/console-operations.ts';

const pages = consolePages.map(({ path, ...page }) => ({ ...page, path: path.replaceAll(/:\w+|\*/g, 'some-id') }));

describe('a page of the console that a key may not see', () => {
  const client = sharedConsole(memory);

  before(async () => {
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
  });

  for (const [path, says, back] of [
    ['/console/entitlements/ent_1/change-tier', 'Change tier needs the scope', '/console/entitlements/ent_1'],
    ['/console/products/prod_1/app-keys/issue', 'Issue needs the scope', '/console/products/prod_1'],
    ['/console/app-keys/key_1/revoke', 'Revoke needs the scope', '/console'],
    ['/console/listings/a%3C/pause', 'Pause needs the scope', '/console/listings/a%3C'],
    ['/console/waitlist', 'Waitlist needs the scope', '/console'],
  ] as const) {
    it(`is named, with the way back to ${back}: ${path}`, async () => {
      const { text } = await client().get(path);
      expect(text).to.include(says).and.include(`<a class="button primary" href="${back}">Back to`);
    });
  }
});

describe('a page of the console that does not exist', () => {
  const client = sharedConsole(memory);

  it('names the field to find things, and the overview, to those who have them', async () => {
    await client().signIn();
    for (const path of ['/console/nothing', '/console/entitlements/nothing']) {
      const { status, text } = await client().get(path);
      expect([status, path]).to.deep.equal([404, path]);
      expect(text, path).to.include('with the field above').and.include('id="find"').and.include('Go to the overview');
    }
    const key = 'svc_op_live_without-reading';
    await client().service.addOperatorKey(key, { id: 'opk_2', scopes: ['admin:waitlist'] });
    const other = new ConsoleClient(client().service);
    for (const signedIn of [false, true]) {
      if (signedIn) await other.signIn(key);
      const { status, text } = await other.get(signedIn ? '/console/nothing' : '/nothing');
      expect(status).to.equal(404);
      expect(text).to.include('the address has a typo').and.not.include('field above').and.not.include('overview');
    }
  });
});

describe('the console of a key with one scope', () => {
  const client = sharedConsole(memory);

  before(async () => {
    const ports = portsIn(client().service.container);
    await ports.products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await client().service.grant(aSubscription({ id: 'ent_1' }));
    await ports.listings.put([aListing({ slug: 'sketchpad', productId: 'prod_1' })], aCall());
    await ports.affiliates.replace(null, anAffiliate(), aCall());
    await ports.promotions.replace(null, aPromotion(), aCall());
    const sale = aSale({ entitlementId: 'ent_1', payments: [aPayment()] });
    await ports.sales.replace(null, sale, null, aCall());
    await addStatement(ports, aStatement());
    await ports.waitlist.join(aSignUp({ email: 'ada@example.com', role: 'creator' }), aCall());
  });

  for (const [scope, first] of [
    ['admin:read', '/console'],
    ['admin:affiliates', '/console/affiliates'],
    ['admin:waitlist', '/console/waitlist'],
    ['admin:catalog', null],
    ['admin:entitlements', null],
    ['admin:access', null],
  ] as const) {
    it(`begins at the first page that it may see, and links to no other: ${scope}`, async () => {
      const key = `svc_op_live_only-${scope}`;
      await client().service.addOperatorKey(key, { id: `opk_only_${scope.slice('admin:'.length)}`, scopes: [scope] });
      const limited = new ConsoleClient(client().service);
      expect(outcomeOf(await limited.signIn(key))).to.deep.equal([303, '/console']);
      const entered = await limited.get('/console');
      if (first === null) expect(outcomeOf(entered)).to.deep.equal([403, 'insufficient_scope']);
      else if (first !== '/console') expect(outcomeOf(entered)).to.deep.equal([303, first]);
      const seen = new Set<string>(first === null ? [] : [first]);
      for (const path of seen) {
        const { status, text } = await limited.get(path);
        expect(status, path).to.be.oneOf([200, 303, 404]);
        for (const [, href = ''] of text.matchAll(/<a [^>]*href="(\/console\/[^"]+)"/g))
          seen.add(href.replaceAll('&amp;', '&'));
      }
    });
  }
});

describe('each page of the console', () => {
  const client = sharedConsole(memory);
  /** Clients whose keys have every scope but one. */
  const without = new Map<OperatorScope, ConsoleClient>();
  const visitor = (): ConsoleClient => new ConsoleClient(client().service);

  before(async () => {
    await client().signIn();
    for (const scope of operatorScopes) {
      const key = `svc_op_live_without-${scope}`;
      const scopes = operatorScopes.filter((other) => other !== scope);
      await client().service.addOperatorKey(key, { id: `opk_${scope.slice('admin:'.length)}`, scopes });
      const limited = visitor();
      await limited.signIn(key);
      without.set(scope, limited);
    }
  });

  it('has a name of its own in the log', () => {
    const names = consoleOperations.filter(({ id }) => id !== 'consoleUnknownPage').map(({ id }) => id);
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it('is named as one of the console, and one that asks by what its form does', () => {
    const named = consoleOperations.filter(({ path }) => path !== '/');
    for (const { id, method, path } of named) {
      expect(id).to.match(/^console[A-Z]/);
      if (method !== 'GET' || !id.endsWith('Form')) continue;
      const answers = named.filter((other) => other.method === 'POST' && other.path === path);
      expect(answers.map((answer) => `${answer.id}Form`)).to.deep.equal([id]);
    }
  });

  for (const { id, method, path, access } of pages) {
    it(`needs a session: ${id}, ${method} ${path}`, async () => {
      const page = method === 'GET' ? await visitor().get(path) : await visitor().post(path, {});
      const signIn = `/console/sign-in?${new URLSearchParams({ next: path }).toString()}`;
      expect(outcomeOf(page)).to.deep.equal(method === 'GET' ? [303, signIn] : [401, 'invalid_session']);
    });

    if (access === null) continue;
    it(`needs the scope ${access}: ${id}, ${method} ${path}`, async () => {
      const limited = without.get(access) ?? visitor();
      const page = method === 'GET' ? await limited.get(path) : await limited.submit(path);
      expect(outcomeOf(page)).to.deep.equal([403, 'insufficient_scope']);
      expect(page.text).to.include(`<span class="mono">${access}</span>`).and.include('Nothing was changed');
    });

    if (method === 'GET') continue;
    it(`needs the token of the session: ${id}, ${method} ${path}`, async () => {
      expect(outcomeOf(await client().post(path, {}))).to.deep.equal([403, 'invalid_token']);
      const foreign = await client().submit(path, {}, { Origin: 'https://evil.example' });
      expect(outcomeOf(foreign)).to.deep.equal([403, 'foreign_origin']);
    });
  }
});

describe('the console of a key that is limited to products', () => {
  const client = sharedConsole(memory);
  const main = async (path: string): Promise<string> => {
    const { status, text } = await client().get(path);
    expect(status, path).to.equal(200);
    return text.slice(text.indexOf('<main'));
  };

  before(async () => {
    await client().service.container.get(tokens.products).add({ id: 'own', name: 'Own', createdAt: noon }, aCall());
    const scopes = ['admin:read', 'admin:entitlements', 'admin:catalog', 'admin:access'] as const;
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes, products: ['own'] });
  });

  for (const [path, says] of [
    ['/console/entitlements', 'No purchase yet'],
    ['/console/listings', 'No listing yet'],
    ['/console/listings/import', 'At most 1 MiB'],
    ['/console/products/own', 'No app key yet'],
    ['/console/webhooks', 'No endpoint yet'],
  ] as const) {
    it(`names no command of the server, which others run: ${path}`, async () => {
      await client().signIn(operatorKeys.reader);
      expect(await main(path))
        .to.include(says)
        .and.not.match(/[Oo]n the server|latchkey /);
      await client().signIn();
      expect(await main(path))
        .to.include(says)
        .and.match(/[Oo]n the server/);
    });
  }

  it('does not lead to the sales at Stripe, which are the owner’s', async () => {
    const links = async (): Promise<number> =>
      (await client().get('/console')).text.split('"/console/stripe"').length - 1;
    await client().signIn(operatorKeys.reader);
    expect(await links()).to.equal(0);
    await client().signIn();
    expect(await links()).to.equal(2);
    const { text } = await client().get('/console/stripe');
    expect(text).to.match(/href="\/console\/stripe"\s+aria-current="page"/);
  });
});
