import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import type { Tiers } from '../../../../core/tier/tiers.port.ts';
import { aCall, aListing } from '../../../support/builders.ts';
import { aLatch } from '../../../support/latch.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn } from '../../../support/web/console-pages.ts';
import type { ReceivedPage } from '../../../support/web/page-client.ts';

type Form = Readonly<Record<string, string>>;

const form: Form = {
  name: 'Quiet Editor',
  category: 'Writing',
  compensationType: 'commission',
  commissionPercent: '30',
  compensationLabel: '30 % of every sale',
  storefrontCount: '5',
  step: 'save',
};

/** The methods by which a form writes. */
const writes = new Set<PropertyKey>(['put', 'replace', 'setState', 'rename', 'add']);

describe('two forms of the console at the same instant', () => {
  /** The writes that are still missing before the first one may go on. */
  let meeting = { missing: 0, ...aLatch() };
  /** Called once, right before the next write. */
  let before: (() => Promise<unknown>) | null = null;
  const wait = (method: PropertyKey): Promise<unknown> | null => {
    if (writes.has(method) && before !== null) {
      const run = before;
      before = null;
      return run();
    }
    if (!writes.has(method) || meeting.missing === 0) return null;
    meeting.missing -= 1;
    if (meeting.missing === 0) meeting.release();
    return meeting.released;
  };
  const client = freshConsole(memory, {
    rebind: (container) => {
      const [listings, products] = [container.get(tokens.listings), container.get(tokens.products)];
      const tiers = interposed(container.get<Tiers>(tokens.tiers), wait);
      container.rebind<Tiers>(tokens.tiers).toConstantValue(tiers);
      container.rebind(tokens.listings).toConstantValue(interposed(listings, wait));
      container.rebind(tokens.products).toConstantValue(interposed(products, wait));
    },
  });
  const listing = '/console/listings/quiet-editor';
  const product = '/console/products/prod_1';

  beforeEach(async () => {
    meeting = { missing: 0, ...aLatch() };
    before = null;
    await client().signIn();
  });

  /** Sends forms, each of which has read everything before the first one writes. */
  const sendAtOnce = async (path: string, forms: readonly Form[]): Promise<readonly ReceivedPage[]> => {
    const token = await client().token();
    meeting = { missing: forms.length, ...aLatch() };
    return Promise.all(forms.map((each) => client().post(path, { token, ...each })));
  };

  /** Sends two forms that differ in the name. */
  const sendTwoNames = (path: string, fields: Form): Promise<readonly ReceivedPage[]> =>
    sendAtOnce(
      path,
      ['First', 'Second'].map((name) => ({ ...fields, name })),
    );

  const putListing = (overrides: Partial<Listing> = {}) =>
    client()
      .service.container.get(tokens.listings)
      .put([aListing(overrides)], aCall());
  const findListing = () => client().service.container.get(tokens.allListings).find('quiet-editor', aCall());
  const addProduct = () => client().submit('/console/products/add', { id: 'prod_1', name: 'Sketchpad' });
  const findProduct = () => client().service.container.get(tokens.products).find('prod_1', aCall());
  const versionOn = async (path: string): Promise<string> => fieldIn((await client().get(path)).text, 'version');

  it('save a listing once, and show the other one what there is now', async () => {
    await putListing();
    const version = await versionOn(listing);
    const pages = await sendTwoNames(listing, { ...form, version });
    expect(outcomesOf(pages)).to.deep.equal([
      [303, `${listing}?done=saved`],
      [409, 'changed_meanwhile'],
    ]);
    const saved = pages[0]?.status === 303 ? 'First' : 'Second';
    expect((await findListing())?.name).to.equal(saved);
    expect(pages.find(({ status }) => status === 409)?.text)
      .to.include('It changed while you were looking')
      .and.match(new RegExp(`Quiet Editor<.*>${saved}<`, 's'));
    expect(changesIn(client())).to.deep.equal([{ command: 'listing put', slug: 'quiet-editor' }]);
  });

  it('add a listing once, and say to the other one that its slug is taken', async () => {
    const pages = await sendTwoNames('/console/listings/add', { ...form, slug: 'quiet-editor' });
    expect(outcomesOf(pages)).to.deep.equal([
      [303, `${listing}?done=added`],
      [400, 'invalid_body'],
    ]);
    expect((await findListing())?.name).to.equal(pages[0]?.status === 303 ? 'First' : 'Second');
    expect(changesIn(client())).to.deep.equal([{ command: 'listing put', slug: 'quiet-editor' }]);
  });

  for (const state of ['draft', 'paused'] as const) {
    it(`publish no text that was swapped between the review and the write (${state})`, async () => {
      await putListing({ state });
      const version = await versionOn(`${listing}/publish`);
      before = () => putListing({ state, blurb: 'Not what was reviewed' });
      const page = await client().submit(`${listing}/publish`, { version });
      expect(outcomeOf(page)).to.deep.equal([409, 'changed_meanwhile']);
      expect(page.text).to.include('It changed while you were looking').and.include('Not what was reviewed');
      expect(await findListing()).to.include({ state, blurb: 'Not what was reviewed' });
      expect(changesIn(client())).to.deep.equal([]);
    });
  }

  it('publish a listing once, and say so to both', async () => {
    await putListing({ state: 'draft' });
    const version = await versionOn(`${listing}/publish`);
    const pages = await sendAtOnce(`${listing}/publish`, [{ version }, { version }]);
    const published = [303, `${listing}?done=publish`];
    expect(outcomesOf(pages)).to.deep.equal([published, published]);
    expect(await findListing()).to.deep.equal(aListing({ state: 'live' }));
    expect(changesIn(client())).to.deep.equal([{ command: 'listing publish', slug: 'quiet-editor' }]);
  });

  it('rename a product once, and show the other one its name', async () => {
    await addProduct();
    const version = await versionOn(`${product}/rename`);
    const pages = await sendTwoNames(`${product}/rename`, { version });
    expect(outcomesOf(pages)).to.deep.equal([
      [303, `${product}?done=renamed`],
      [409, 'changed_meanwhile'],
    ]);
    const renamed = pages[0]?.status === 303 ? 'First' : 'Second';
    expect((await findProduct())?.name).to.equal(renamed);
    expect(pages.find(({ status }) => status === 409)?.text)
      .to.include('It changed while you were looking')
      .and.match(new RegExp(`Sketchpad<.*>${renamed}<`, 's'));
    expect(changesIn(client()).map(({ command }) => command)).to.deep.equal(['product add', 'product set']);
  });

  it('add a product once, and say to the other one that its id is taken', async () => {
    const pages = await sendTwoNames('/console/products/add', { id: 'prod_1' });
    expect(outcomesOf(pages)).to.deep.equal([
      [303, `${product}?done=added`],
      [400, 'invalid_body'],
    ]);
    expect((await findProduct())?.name).to.equal(pages[0]?.status === 303 ? 'First' : 'Second');
    expect(changesIn(client())).to.deep.equal([{ command: 'product add', productId: 'prod_1' }]);
  });

  it('change a tier once, and show the other one what it allows', async () => {
    await addProduct();
    const tiers = `${product}/tiers`;
    const pages = await sendAtOnce(
      `${tiers}/add`,
      ['1', '2'].map((deviceLimit) => ({ id: 'pro', deviceLimit })),
    );
    expect(outcomesOf(pages)).to.deep.equal([
      [303, `${product}?done=tier-declared`],
      [400, 'invalid_body'],
    ]);
    const version = await versionOn(`${tiers}/pro/change`);
    const changed = await sendAtOnce(
      `${tiers}/pro/change`,
      ['8', '9'].map((deviceLimit) => ({ version, deviceLimit })),
    );
    expect(outcomesOf(changed)).to.deep.equal([
      [303, `${product}?done=tier-changed`],
      [409, 'changed_meanwhile'],
    ]);
    const stored = await client().service.container.get<Tiers>(tokens.tiers).find('prod_1', 'pro', aCall());
    expect(stored?.terms?.deviceLimit).to.equal(changed[0]?.status === 303 ? 8 : 9);
    expect(changesIn(client()).map(({ revision }) => revision)).to.deep.equal([undefined, 1, 2]);
  });

  it('make the same change once, and both succeed', async () => {
    await putListing();
    await addProduct();
    const version = await versionOn(listing);
    const named = await versionOn(`${product}/rename`);
    const slug = 'loud-editor';
    const forms: readonly (readonly [string, Form])[] = [
      [listing, { ...form, version, name: 'Renamed' }],
      ['/console/listings/add', { ...form, slug }],
      [`${product}/rename`, { version: named, name: 'Renamed' }],
      ['/console/products/add', { id: 'prod_2', name: 'Another' }],
    ];
    for (const [path, each] of forms) {
      const pages = await sendAtOnce(path, [each, each]);
      expect(pages.map(({ status }) => status)).to.deep.equal([303, 303]);
    }
    expect(changesIn(client())).to.deep.equal([
      { command: 'product add', productId: 'prod_1' },
      { command: 'listing put', slug: 'quiet-editor' },
      { command: 'listing put', slug },
      { command: 'product set', productId: 'prod_1' },
      { command: 'product add', productId: 'prod_2' },
    ]);
  });
});

/** The outcomes of answers, in the order of their status. */
function outcomesOf(pages: readonly ReceivedPage[]): ReturnType<typeof outcomeOf>[] {
  return pages.toSorted((a, b) => a.status - b.status).map(outcomeOf);
}
