import { expect } from 'chai';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { faultsOf, startEdge } from '../../../support/http/edge-service.ts';
import type { TestService } from '../../../support/http/service.ts';
import { memory, stores, type StoreAddress, type StoreUnderTest } from '../../../support/stores/stores.ts';
import { accessCorpus } from './corpus-access.ts';
import { contentCorpus } from './corpus-content.ts';
import { publicCorpus } from './corpus-public.ts';
import { routingCorpus } from './corpus-routing.ts';
import { wireCorpus } from './corpus-wire.ts';
import type { CorpusRow } from './corpus.ts';
import { expectDocumentedFor, expectOurs } from './expect-ours.ts';

const ofStores = [...accessCorpus, ...publicCorpus];
const corpus = [...wireCorpus, ...routingCorpus, ...contentCorpus, ...ofStores];

describe('the corpus of requests', () => {
  it('holds more than 120 rules', () => {
    expect(corpus.length).to.be.at.least(120);
    expect(new Set(corpus.map(({ rule }) => rule)).size).to.equal(corpus.length);
  });

  for (const store of stores) answersAll(store, store === memory ? corpus : ofStores);
});

function answersAll({ name, address }: StoreUnderTest, rows: readonly CorpusRow[]): void {
  describe(`on ${name}`, () => {
    let service: TestService;
    let fresh: StoreAddress;
    before(async function () {
      this.timeout(60_000);
      fresh = await address();
      service = await startEdge({}, fresh.url);
    });
    after(async () => {
      await service.stop();
      await fresh.remove();
    });

    for (const row of rows) it(row.rule, () => expectAnswer(service, row));

    it('nothing of it was a fault', () => {
      expect(faultsOf(service)).to.deep.equal([]);
    });
  });
}

async function expectAnswer(service: TestService, row: CorpusRow): Promise<void> {
  const client = new RawClient(service.url);
  try {
    client.send(row.bytes);
    const method = row.bytes.startsWith('HEAD ') ? 'HEAD' : 'GET';
    const response = await client.read(method);
    expectOurs(response, row.shape);
    expect(response.status).to.equal(row.status);
    expectDocumentedFor(row.bytes, response);
    for (const [name, value] of Object.entries(row.headers ?? {})) expectHeader(response, name, value);
    if (row.content !== undefined) expect(response.body).to.match(row.content);
    const announced = response.headers['connection']?.[0] === 'close';
    expect(announced, 'announces that the connection is closed').to.equal(row.closes === true);
    if (row.closes === true) expect(client.rest, 'behind the answer').to.equal('');
    else await expectAnother(client);
  } finally {
    client.close();
  }
}

function expectHeader({ headers }: RawResponse, name: string, expected: string | RegExp | null): void {
  const value = headers[name]?.join(', ');
  if (expected === null) expect(value, name).to.equal(undefined);
  else if (typeof expected === 'string') expect(value, name).to.equal(expected);
  else expect(value, name).to.match(expected);
}

/** The connection serves another request. */
async function expectAnother(client: RawClient): Promise<void> {
  client.send('GET /livez HTTP/1.1\r\nHost: latchkey.test\r\nX-Request-Id: another-one\r\n\r\n');
  expect((await client.read('GET')).headers['x-request-id']).to.deep.equal(['another-one']);
}
