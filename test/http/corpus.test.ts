import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStore } from '../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../core/idempotency/retention.ts';
import { aCall } from '../support/builders.ts';
import { populate } from '../support/edge-world.ts';
import { RawClient, type RawResponse } from '../support/raw-client.ts';
import { startService, type TestService } from '../support/service.ts';
import { accessCorpus } from './corpus-access.ts';
import { contentCorpus } from './corpus-content.ts';
import { routingCorpus } from './corpus-routing.ts';
import { wireCorpus } from './corpus-wire.ts';
import type { CorpusRow } from './corpus.ts';
import { expectOurs } from './ours.ts';

const corpus = [...wireCorpus, ...routingCorpus, ...contentCorpus, ...accessCorpus];

describe('the corpus of requests', () => {
  it('holds more than 120 rules', () => {
    expect(corpus.length).to.be.at.least(120);
    expect(new Set(corpus.map(({ rule }) => rule)).size).to.equal(corpus.length);
  });

  answersAll('memory', corpus);
  answersAll('sqlite', accessCorpus);
});

function answersAll(store: string, rows: readonly CorpusRow[]): void {
  describe(`on ${store}`, () => {
    let service: TestService;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
      const url = store === 'memory' ? 'memory:' : `${store}:${join(folder, 'latchkey.db')}`;
      service = await startService(await openStore(url, { create: true }, retentionFor(defaultTtl), aCall()));
      await populate(service);
    });
    after(async () => {
      await service.stop();
      await rm(folder, { recursive: true });
    });

    for (const row of rows) it(row.rule, () => expectAnswer(service, row));

    it('nothing of it was a fault', () => {
      expect(service.logged.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
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
    for (const [name, value] of Object.entries(row.headers ?? {})) expectHeader(response, name, value);
    const announced = response.headers['connection']?.[0] === 'close';
    expect(announced, 'announces that the connection is closed').to.equal(row.closes === true);
    if (row.closes !== true) await expectAnother(client);
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
