import { expect } from 'chai';
import { idIn, idSegment } from '../../../../adapters/web/console/frame/id-segment.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aListing, aSubscription, noon } from '../../../support/builders.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { consolePages } from '../../../support/web/console-operations.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';
import { anEndpoint } from '../../../support/webhooks/builders.ts';

describe('an id that is a word of the console', () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    const { container } = client().service;
    await client().signIn();
    await container.get(tokens.products).add({ id: 'add', name: 'A product', createdAt: noon }, aCall());
    await client().service.grant(aSubscription({ id: 'grant', productId: 'add' }));
    await container.get(tokens.webhookEndpoints).add(anEndpoint({ id: 'add', productId: 'add' }), aCall());
    for (const slug of ['add', 'import']) {
      await container.get(tokens.listings).put([aListing({ id: slug, slug })], aCall());
    }
    await client().service.addOperatorKey('svc_op_live_of-an-id-like-a-word', { id: 'issue' });
  });

  for (const [list, segment, change] of [
    ['entitlements', '@grant', 'suspend'],
    ['products', '@add', 'rename'],
    ['webhooks', '@add', 'disable'],
    ['listings', '@add', 'pause'],
    ['listings', '@import', 'pause'],
  ] as const) {
    it(`has a page of its own, to which the list leads: /console/${list}/${segment}`, async () => {
      const path = `/console/${list}/${segment}`;
      expect((await client().get(`/console/${list}`)).text).to.include(`href="${path}`);
      const page = await client().get(path);
      expect(page.status).to.equal(200);
      expect(page.text).to.include(`href="${path}/${change}"`);
      const question = await client().get(`${path}/${change}`);
      expect(question.status).to.equal(200);
      expect(question.text).to.include(`action="${path}/${change}"`);
      // The page that stands beside it has its old address.
      expect((await client().get(path.replace('@', ''))).status).to.equal(200);
    });
  }

  it('can be changed, and the answer leads back to it', async () => {
    const path = '/console/products/@add/rename';
    const version = fieldIn((await client().get(path)).text, 'version');
    const renamed = await client().submit(path, { version, name: 'Another' });
    expect(outcomeOf(renamed)).to.deep.equal([303, '/console/products/@add?done=renamed']);
    expect((await client().get('/console/operators')).text).to.include('href="/console/operators/issue/revoke"');
    expect((await client().get('/console/operators/issue/revoke')).status).to.equal(200);
  });

  it('is found, by its id, its reference and its license key, at its own page', async () => {
    const found = aSubscription({ id: 'import', productId: 'add', reference: 'add' });
    await client().service.grant(found);
    for (const what of ['grant', 'import', 'add']) {
      const own = what === 'add' ? '/console/entitlements/@import' : `/console/entitlements/@${what}`;
      expect(outcomeOf(await client().submit('/console/find', { what })), what).to.deep.equal([303, own]);
      expect((await client().get(own)).status).to.equal(200);
    }
  });

  it('is any last part of a page that stands beside pages of single things', () => {
    const paths = consolePages.map(({ path }) => path);
    const beside = paths.filter((path) =>
      paths.some((other) => other !== path && /^[^:]*$/.test(path) && matches(other, path)),
    );
    const words = beside.map((path) => path.slice(path.lastIndexOf('/') + 1));
    expect(new Set(words)).to.deep.equal(new Set(['add', 'close', 'grant', 'import']));
    for (const word of words) expect([idSegment(word), idIn(idSegment(word))]).to.deep.equal([`@${word}`, word]);
    for (const id of ['ent_1', 'granted', '~', 'Grant', '...a']) expect(idSegment(id)).to.equal(id);
  });
});

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}
