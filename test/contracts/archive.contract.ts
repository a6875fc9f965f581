import { expect } from 'chai';
import { CatalogIndex } from '../../adapters/catalog-index/catalog-index.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import type { Listing, ListingState } from '../../core/catalog/listing.ts';
import { placeId, sections, toArchivedStream, type Archive, type Entry } from '../../core/copy/archive.port.ts';
import { addStatement, anAffiliate, aStatement } from '../support/affiliates/builders.ts';
import {
  aCall,
  aListing,
  anAppKey,
  anEntry,
  anEvent,
  anOperatorKey,
  anOperatorSession,
  aOneTimePurchase,
  aProduct,
  aRecord,
  aSignUp,
  aSubscription,
  everyAffiliateMember,
  everyPageMember,
  later,
  noon,
} from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { range } from '../support/range.ts';
import { aKeyRing } from '../support/receipts/key-rings.ts';
import { withRecords } from '../support/stores/archived.ts';
import { ringEntry } from '../support/stores/archives.ts';
import { plainRenderer } from '../support/stores/catalogs.ts';
import { freshStore, type OpenStore } from '../support/stores/stores.ts';
import { anEndpoint, aStream } from '../support/webhooks/builders.ts';

/** The store that copies need, and the changes that a catalog which follows the store sees after a copy. */
export function archiveContract(open: OpenStore): void {
  describe('Archive', () => {
    const store = freshStore(open);
    const archive = (): Archive => {
      const opened = store().archive;
      if (opened === null) throw new Error('this store cannot be copied');
      return opened;
    };

    const add = (number: number, state: ListingState = 'live'): Promise<boolean> =>
      archive().insert([listingEntry(listing(number, state))], aCall());
    const remove = (number: number): Promise<void> => archive().remove('listings', [listing(number).slug], aCall());

    for (const entries of samples()) {
      const [first, second] = entries;
      const { section } = first;
      it(`inserts, counts, reads and removes ${section}`, async () => {
        expect(await archive().insert([second, first], aCall())).to.equal(true);
        expect(await archive().count(section, aCall())).to.equal(2);
        expect(await archive().page(section, '', aCall())).to.deep.equal(entries);
        expect(await archive().page(section, first.id, aCall())).to.deep.equal([second]);
        expect(await archive().insert([first], aCall())).to.equal(false);
        await archive().remove(section, [first.id], aCall());
        expect(await archive().page(section, '', aCall())).to.deep.equal([second]);
        expect(await archive().insert([first], aCall())).to.equal(true);
        expect(await archive().page(section, '', aCall())).to.deep.equal(entries);
      });
    }

    it('has no session of an operator', async () => {
      await store().operatorSessions.add(anOperatorSession(), aCall());
      const pages = await Promise.all(sections.map((section) => archive().page(section, '', aCall())));
      expect(pages.flat()).to.deep.equal([]);
    });

    it('has of an affiliate who was erased the handle, the sales and the statements alone', async () => {
      const { affiliates, sales } = store();
      const personal = { name: 'Ada L.', about: 'I draw.', url: 'https://ada.example/', payTo: 'IBAN 7' };
      await affiliates.replace(null, anAffiliate(personal), aCall());
      await addStatement(store(), aStatement());
      const everything = async (): Promise<readonly Entry[]> => {
        await store().settle();
        return (await Promise.all(sections.map((section) => archive().page(section, '', aCall())))).flat();
      };
      const facts = /Ada L|I draw|ada[@.]example|@example|IBAN/;
      const before = await everything();
      expect(JSON.stringify(before)).to.match(facts);
      const { eraseAffiliate } = administrationOf(store(), nodePlatform);
      await eraseAffiliate('ada', aCall());
      const erased = { ...anAffiliate(), name: 'ada', email: null, state: 'ended', revision: 3 };
      const after = await everything();
      expect(after).to.deep.equal(
        before.map((entry) => (entry.section === 'affiliates' ? { ...entry, value: erased } : entry)),
      );
      expect(JSON.stringify(after)).to.not.match(facts);
      expect(after.map(({ section }) => section)).to.deep.equal(['affiliates', 'sales', 'statements', 'events']);
      expect(await sales.find(`of ${aStatement().id}`, aCall())).to.include({ handle: 'ada', stated: 270 });
    });

    it('has no invitation of the waitlist, but says who was invited', async () => {
      const { waitlist } = store();
      const digest = 'digest-1';
      const terms = {
        products: ['prod_1'],
        scopes: ['admin:read'],
        expiresAt: later(1),
        invitedBy: 'command:ada',
      } as const;
      await waitlist.join(aSignUp(), aCall());
      const invited = aSignUp({ invitedAt: noon });
      await waitlist.replace(aSignUp(), { ...invited, invitation: { digest, ...terms } }, aCall());
      const entry = { section: 'signUps', id: 'ada@example.com', value: invited } as const;
      expect(await archive().page('signUps', '', aCall())).to.deep.equal([entry]);
      await archive().remove('signUps', [entry.id], aCall());
      await archive().insert([entry], aCall());
      expect(await waitlist.find(entry.id, aCall())).to.deep.equal(invited);
    });

    it('inserts, counts, reads and removes the signing keys, of which there is one record', async () => {
      const entry = ringEntry(aKeyRing());
      expect(await archive().insert([entry], aCall())).to.equal(true);
      expect(await archive().count('signingKeys', aCall())).to.equal(1);
      expect(await archive().page('signingKeys', '', aCall())).to.deep.equal([entry]);
      expect(await archive().page('signingKeys', entry.id, aCall())).to.deep.equal([]);
      expect(await store().signingKeys.read(aCall())).to.deep.equal(aKeyRing());
      expect(await archive().insert([entry], aCall())).to.equal(false);
      await archive().remove('signingKeys', [entry.id], aCall());
      expect(await store().signingKeys.read(aCall())).to.equal(null);
    });

    it('pages through every section by id in code-point order, and lists records by key', async () => {
      const sectionsInOrder = inCodePointOrder
        .filter((text) => text === text.toLowerCase())
        .map((text) => [
          product(text),
          appKey(text),
          operatorKey(text),
          recorded(text),
          listingEntry(listing(text)),
          signUp(text),
          placed(text),
          endpoint(text),
          stream(text),
        ]);
      for (const entry of sectionsInOrder.toReversed().flat()) await archive().insert([unordered(entry)], aCall());
      for (const [position, { section }] of (sectionsInOrder[0] ?? []).entries()) {
        const page = await archive().page(section, '', aCall());
        expect(page).to.deep.equal(sectionsInOrder.map((entries) => entries[position]));
      }
    });

    it('shows a catalog the listings that a copy removes and inserts', async () => {
      const index = new CatalogIndex(store().listings, plainRenderer, (text) => text);
      const shown = async (): Promise<readonly boolean[]> => {
        await index.refresh(aCall());
        return Promise.all(range(3).map(async (number) => (await index.find(listing(number).slug)) !== null));
      };
      for (const number of range(3)) await add(number);
      expect(await shown()).to.deep.equal([true, true, true]);
      await remove(2);
      await add(2, 'paused');
      expect(await shown()).to.deep.equal([true, true, false]);
      await remove(0);
      expect(await shown()).to.deep.equal([false, true, false]);
      await remove(1);
      await add(0);
      expect(await shown()).to.deep.equal([true, false, false]);
    });
  });
}

/** Two entries of each section, in their order. */
function samples(): readonly (readonly [Entry, Entry])[] {
  return [
    [product('prod_1'), product('prod_2')],
    [tier('prod_1', 'free'), tier('prod_1', 'pro')],
    [appKey('key_1'), appKey('key_2')],
    [operatorKey('opk_1'), operatorKey('opk_2')],
    [withRecords(0, 3), purchase('recorded-1')],
    [listingEntry(listing(0)), listingEntry(listing(1, 'draft'))],
    [signUp('Ada@example.com'), signUp('bob@example.com')],
    [placed('prod_1', 9), placed('prod_1', 10)],
    [endpoint('whk_1'), endpoint('whk_2')],
    [stream('prod_1'), stream('prod_2')],
  ];
}

function product(id: string): Entry {
  return {
    section: 'products',
    id,
    value: aProduct({
      id,
      downloadUrl: 'https://one.example/get',
      activateUrl: 'one-pad:{key}',
      iconUrl: 'https://one.example/icon.png',
      mailKeys: false,
      mailText: 'Paste it.',
      mailEnding: true,
    }),
  };
}

/** A declared tier, and one that was deleted. */
function tier(productId: string, id: string): Entry {
  const terms = id === 'free' ? null : { deviceLimit: 3, trial: null, features: { projects: 20, sso: true } };
  return { section: 'tiers', id: `${productId} ${id}`, value: { productId, id, terms, revision: 7 } };
}

function appKey(id: string): Entry {
  return { section: 'appKeys', id: `digest-${id}`, value: anAppKey({ id, digest: `digest-${id}` }) };
}

function operatorKey(id: string): Entry {
  const value = anOperatorKey({ id, digest: `digest-${id}` });
  return { section: 'operatorKeys', id: value.digest, value };
}

function purchase(id: string): Entry {
  return {
    section: 'entitlements',
    id,
    value: { entitlement: aOneTimePurchase({ id, reference: `sub_${id}` }), records: [], history: [] },
  };
}

function signUp(email: string): Entry {
  return { section: 'signUps', id: email.toLowerCase(), value: aSignUp({ email }) };
}

function placed(productId: string, position = 1): Entry {
  const event = anEvent(aSubscription({ billingIntervalCount: 3, productId, sequence: position }), {
    ending: { reason: 'trial', endsAt: noon },
    reason: 'unpaid',
  });
  const value = { productId, position, storedAt: noon, event };
  return { section: 'events', id: placeId(productId, position), value };
}

function endpoint(id: string): Entry {
  return { section: 'webhookEndpoints', id, value: anEndpoint({ id }) };
}

function stream(productId: string): Entry {
  const pending = new Map([['ent_1', { positions: [2, 7], attempt: 1, at: noon }]]);
  const value = aStream({ productId, cursor: 9, pending, failing: ['ent_1'], failingSince: noon, fence: 4 });
  return { section: 'deliveryStreams', id: `whk_1/add_1/${productId}`, value: toArchivedStream(value) };
}

/** A subscription with three changes, and with a record for each text that ids are ordered by. */
function recorded(id: string): Entry {
  const hold = { kind: 'suspended', causes: ['operator', 'payment'] } as const;
  const entitlement = aSubscription({ billingIntervalCount: 3, unannouncedEnd: noon, hold, id });
  const records = inCodePointOrder.map((text) => aRecord(entitlement, { key: `${id}-${text}` }));
  const history = [3, 2, 1].map((version) => anEntry({ ...entitlement, version }));
  return { section: 'entitlements', id, value: { entitlement, records, history } };
}

/** The same entry, its records in the opposite order. */
function unordered(entry: Entry): Entry {
  if (entry.section !== 'entitlements') return entry;
  return { ...entry, value: { ...entry.value, records: entry.value.records.toReversed() } };
}

function listing(name: number | string, state: ListingState = 'live'): Listing {
  const own = { ...everyPageMember, ...everyAffiliateMember, storefronts: 3, url: `https://tidy.example/${name}` };
  return aListing({ id: `lst_${name}`, slug: `tool-${name}`, state, ...(state === 'live' && own) });
}

function listingEntry(value: Listing): Entry {
  return { section: 'listings', id: value.slug, value };
}
