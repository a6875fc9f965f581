import { expect } from 'chai';
import { catalogRenderer } from '../../../../adapters/http/operations/listing-views.ts';
import { snapshotJson, verificationBody } from '../../../../adapters/http/operations/views.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import {
  aListing,
  aSubscription,
  everyAffiliateMember,
  everyPageMember,
  noon,
  withoutHiddenMembers,
} from '../../../support/builders.ts';

const internal = { internal: 'a member that core added' };
const snapshot = { ...snapshotAt(aSubscription(), noon), ...internal };

describe('the JSON of an answer', () => {
  it('has the members of a snapshot that the API names, in its order, and no other', () => {
    expect(snapshotJson(snapshot)).to.equal(
      '{"id":"ent_1","productId":"prod_1","kind":"subscription","status":"active","active":true,"tierId":"pro",' +
        '"tierName":"Pro","billingInterval":"month","currentPeriodStart":"2026-07-01T00:00:00.000Z",' +
        '"currentPeriodEnd":"2026-08-01T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,' +
        '"endedAt":null,"allowedActions":["cancel"],"createdAt":"2026-07-01T00:00:00.000Z",' +
        '"updatedAt":"2026-07-01T00:00:00.000Z","version":1}',
    );
  });

  it('has the count of billing intervals after the interval if it is not 1, but not when a license is verified', () => {
    const quarterly = snapshotAt(aSubscription({ billingIntervalCount: 3 }), noon);
    const plain = snapshotAt(aSubscription(), noon);
    expect(snapshotJson(quarterly)).to.equal(
      snapshotJson(plain).replace('"billingInterval":"month"', '"billingInterval":"month","billingIntervalCount":3'),
    );
    expect(verificationBody({ valid: true, entitlement: quarterly })).to.equal(
      verificationBody({ valid: true, entitlement: plain }),
    );
  });

  it('has the members of a verified entitlement that the API names', () => {
    expect(verificationBody({ valid: true, entitlement: snapshot })).to.equal(
      '{"valid":true,"entitlement":{"id":"ent_1","productId":"prod_1","status":"active","tierId":"pro","tierName":"Pro",' +
        '"billingInterval":"month","currentPeriodEnd":"2026-08-01T00:00:00.000Z"}}',
    );
  });

  it('has the members of a listing and of a page that the API names', () => {
    const listing = aListing({ ...everyPageMember, ...everyAffiliateMember, storefrontCount: 12, storefronts: 3 });
    const rendered = catalogRenderer.listing({ ...listing, ...internal });
    const meta = { total: 1, offset: 0, limit: 24, hasMore: false, ...internal };
    const page = catalogRenderer.page([rendered], meta, catalogRenderer.categories(['Data']));
    const { state: _1, publishedAt: _2, upfrontCents: _3, productId: _4, ...shown } = withoutHiddenMembers(listing);
    const { internal: _internal, ...shownMeta } = meta;
    expect(JSON.parse(`${page}}`)).to.deep.equal({
      success: true,
      data: [{ ...shown, storefrontCount: 15 }],
      meta: shownMeta,
      categories: ['Data'],
    });
  });

  it('has the bytes of the typed number of storefronts where there is no promotion', () => {
    expect(catalogRenderer.listing(aListing({ ...everyAffiliateMember, storefrontCount: 12 }))).to.equal(
      '{"id":"lst_1","slug":"quiet-editor","name":"Quiet Editor","blurb":"A text editor that stays out of the way",' +
        '"category":"Writing","commissionPercent":30,"compensationType":"commission",' +
        '"compensationLabel":"30 % of every sale","featured":false,"storefrontCount":12}',
    );
  });
});
