import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import { withoutReordering } from '../../../../../core/parsing/reordering.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, hour, later, noon } from '../../../../support/builders.ts';
import { operatorKeys } from '../../../../support/http/fixtures.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, type ConsoleClient } from '../../../../support/web/console-client.ts';
import { anEndpoint, aStream } from '../../../../support/webhooks/builders.ts';

const path = '/console/entitlements/ent_1';
const license = aLicense();

/** Texts that must not become markup, show another order than they have or break the layout. */
const hostileTexts = [
  '"><script>alert(1)</script>',
  "'; DROP TABLE x; --<b>",
  '\u202Etxet\u202C שלום',
  '🎉'.repeat(200),
];

function escaped(text: string): string {
  return withoutReordering(text)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The actions that a page links to. */
function changesOn(text: string): readonly string[] {
  return [...text.matchAll(/href="\/console\/entitlements\/ent_1\/([a-z-]+)"/g)].map(([, action = '']) => action);
}

/** A stream in which the first event of `ent_1` waits until an instant, or for a manual retry. */
function pending(at: Date | null): Pick<ReturnType<typeof aStream>, 'pending'> {
  return { pending: new Map([['ent_1', { positions: [1], attempt: 1, at }]]) };
}

async function addProduct(client: ConsoleClient, name: string): Promise<void> {
  await client.service.container.get(tokens.products).add({ id: 'prod_1', name, createdAt: noon }, aCall());
}

async function signInWith(client: ConsoleClient, scope: 'admin:read' | 'admin:waitlist'): Promise<void> {
  await client.service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: [scope] });
  await client.signIn(operatorKeys.reader);
}

describe('the page of an entitlement', () => {
  const client = freshConsole(memory);

  it('has its state, its facts, what happened and the changes that are possible', async () => {
    await addProduct(client(), 'Sketchpad');
    await client().service.grant(aSubscription({ reference: 'sub_1', license, sequence: 1 }));
    await client().signIn();
    await client().submit(`${path}/cancel`, { version: '1' });
    const { status, headers, text } = await client().get(path);
    expect([status, headers['cache-control']]).to.deep.equal([200, 'no-store']);
    expect(text).to.match(/<h1[^>]*>Sketchpad Pro<\/h1>/);
    expect(text.replaceAll(/<\/?(?:time|strong)[^>]*>/g, '')).to.include(
      'Active. A cancellation is scheduled: access ends on Saturday 1 August, 00:00 UTC, in 14 days.',
    );
    expect(text).to.include('sub_1').and.include('ends in <span class="mono">WXYZ</span>');
    expect(text).to.match(
      /Cancellation scheduled.*by\s+operator <bdi>[^<]+<\/bdi> <span class="mono">opk_1<\/span>.*Granted/s,
    );
    expect(changesOn(text)).to.deep.equal([
      'link',
      'resume',
      'change-tier',
      'allow',
      'suspend',
      'revoke',
      'rotate-license',
      'receipt',
      'revoke-license',
    ]);
  });

  it('shows no change to an operator who may only read, and refuses them', async () => {
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    await signInWith(client(), 'admin:read');
    const { status, text } = await client().get(path);
    expect([status, changesOn(text)]).to.deep.equal([200, []]);
    expect((await client().get('/console/entitlements')).text).not.to.include('/console/entitlements/grant');
    for (const action of ['revoke', 'extend', 'rotate-license', 'link', 'receipt']) {
      expect(outcomeOf(await client().get(`${path}/${action}`))).to.deep.equal([403, 'insufficient_scope']);
      const refused = await client().submit(`${path}/${action}`, { version: '1' });
      expect(outcomeOf(refused)).to.deep.equal([403, 'insufficient_scope']);
      expect(refused.text).to.include('admin:entitlements').and.include('Nothing was changed');
    }
    const [stored] = await client().service.stored();
    expect(stored?.version).to.equal(1);
  });

  it('is not shown to an operator who may not read', async () => {
    await client().service.grant(aSubscription());
    await signInWith(client(), 'admin:waitlist');
    for (const page of [path, '/console/entitlements']) {
      expect(outcomeOf(await client().get(page))).to.deep.equal([403, 'insufficient_scope']);
    }
  });

  it('is not found for an id that there is not', async () => {
    await client().signIn();
    expect(outcomeOf(await client().get(path))).to.deep.equal([404, 'entitlement_not_found']);
  });

  it('says of a key whether it works, and replaces it under one name', async () => {
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    await client().signIn();
    const text = (await client().get(path)).text.replaceAll(/\s+/g, ' ');
    expect(text)
      .to.include('<dd>Works</dd>')
      .and.match(/rotate-license">Replace key</);
    await client().submit(`${path}/suspend`, { version: '1' });
    expect((await client().get(path)).text).to.include('<dd>Does not work</dd>');
    const asked = (await client().get(`${path}/rotate-license`)).text;
    expect(asked).to.include('Replace the key?').and.not.include('otate the');
    await client().submit(`${path}/rotate-license`, { version: '2' });
    expect((await client().get(path)).text)
      .to.include('Key replaced')
      .and.not.match(/[Rr]otated/);
  });

  it('says what became of each event at every endpoint', async () => {
    const { container } = client().service;
    await client().service.grant(aSubscription({ license, sequence: 1 }));
    const common = { productId: null, types: null, createdAt: later(-hour) };
    for (const [id, url] of [
      ['whk_1', 'https://hooks.example/'],
      ['whk_2', 'https://books.example/a?b'],
      ['whk_3', 'https://parked.example/'],
    ] as const) {
      const terms = { ...common, id, url };
      await container.get(tokens.webhookEndpoints).add(anEndpoint(terms), aCall());
    }
    const [placed] = (await container.get(tokens.events).page('prod_1', 0, 1, aCall())).events;
    const attempt = { at: noon, position: 1, eventId: placed?.event.id ?? '', reason: null, durationMs: 88 };
    const waiting = { ...pending(later(42 * 60_000)), attempts: [{ ...attempt, status: 503 }] };
    const failed = { ...pending(null), attempts: [{ ...attempt, status: null, reason: 'no answer in time' }] };
    const streams = [
      aStream({ endpointId: 'whk_1', cursor: 1, ...waiting }),
      aStream({ endpointId: 'whk_2', cursor: 1, attempts: [{ ...attempt, status: 204 }] }),
      aStream({ endpointId: 'whk_3', cursor: 1, ...failed }),
    ];
    await container.get(tokens.deliveryStreams).add(streams, aCall());
    await client().signIn();
    const text = (await client().get(path)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).to.include('Waiting hooks.example , answered 503, next attempt in 42 minutes');
    expect(text).to.include('204 books.example , 12:00:00, 88 ms');
    expect(text).to.include('Failed parked.example , no answer in time, waits for a manual retry');
  });

  for (const hostile of hostileTexts) {
    it(`shows a hostile text as it is: ${hostile.slice(0, 30)}`, async () => {
      await addProduct(client(), hostile);
      await client().service.grant(aSubscription({ tierName: hostile, reference: hostile, license, sequence: 1 }));
      await client().signIn();
      const list = '/console/entitlements';
      for (const page of [path, `${path}/revoke`, `${path}/change-tier`, list, `${list}/grant`]) {
        const { status, text } = await client().get(page);
        expect([page, status]).to.deep.equal([page, 200]);
        expect(text).to.include(escaped(hostile)).and.not.include('<script').and.not.include('<b>');
      }
      await client().submit(`${path}/change-tier`, { version: '1', tierId: 'team', tierName: 'Team' });
      await client().service.change('ent_1/cancel', 'key-00000001');
      const stale = await client().submit(`${path}/revoke`, { version: '1' });
      expect(stale.status).to.equal(409);
      expect(stale.text).to.include(escaped(hostile)).and.not.include('<script').and.not.include('<b>');
    });
  }
});

describe('the page of an entitlement of a server without receipts', () => {
  const client = freshConsole(memory, { receipts: 'off' });

  it('offers no receipt', async () => {
    await client().service.grant(aOneTimePurchase({ id: 'ent_1', license }));
    await client().signIn();
    expect(changesOn((await client().get(path)).text))
      .to.include('revoke')
      .and.not.include('receipt');
    expect((await client().get(`${path}/receipt`)).status).to.equal(404);
  });
});

for (const settings of [{ buyerPages: 'off' }, { pages: 'off' }] as const) {
  describe(`the page of an entitlement of a server with ${JSON.stringify(settings)}`, () => {
    const client = freshConsole(memory, settings);

    it('offers no link for the buyer', async () => {
      await client().service.grant(aSubscription({ license }));
      await client().signIn();
      expect(changesOn((await client().get(path)).text))
        .to.include('receipt')
        .and.not.include('link');
      expect((await client().get(`${path}/link`)).status).to.equal(404);
      expect((await client().submit(`${path}/link`, { version: '1' })).status).to.equal(404);
    });
  });
}
