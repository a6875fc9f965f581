import { expect } from 'chai';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { ReadBatcher } from '../../../../adapters/mongo/driver/read-batcher.ts';
import { aCall } from '../../../support/builders.ts';
import { thrownBy } from '../../../support/thrown.ts';

const keys = ['a', 'b', 'c'];

describe('ReadBatcher', () => {
  let asked: (readonly string[])[] = [];
  beforeEach(() => {
    asked = [];
  });

  it('looks up each key alone when the server has refused a batch, so that one bad key fails alone', async () => {
    const refusal = new MongoServerError({ message: 'a key that the server refuses', code: 2 });
    const outcomes = await lookUpAll((some) => {
      if (some.includes('b')) throw refusal;
    });
    expect(asked).to.deep.equal([keys, ['a'], ['b'], ['c']]);
    expect(outcomes).to.deep.equal(['found a', 'store_unavailable', 'found c']);
  });

  for (const [what, error] of [
    ['the connection is lost', new MongoNetworkError('connection closed')],
    ['the server is no longer primary', new MongoServerError({ message: 'stepped down', code: 189 })],
    ['the primary is too new for majority reads', new MongoServerError({ message: 'not yet', code: 134 })],
    ['a router cannot reach its shard', new MongoServerError({ message: 'unreachable', code: 6 })],
  ] as const) {
    it(`sends the batch once more, and no key alone, when ${what}`, async () => {
      const outcomes = await lookUpAll(() => {
        throw error;
      });
      expect(asked).to.deep.equal([keys, keys]);
      expect(outcomes).to.deep.equal(keys.map(() => 'store_unavailable'));
    });
  }

  for (const [what, failure] of [
    ['no server answers', noServer],
    ['the store is closed', closedClient],
  ] as const) {
    it(`sends no key alone when ${what}`, async () => {
      const error = await failure();
      const outcomes = await lookUpAll(() => {
        throw error;
      });
      expect(asked).to.deep.equal([keys]);
      expect(outcomes).to.deep.equal(keys.map(() => 'store_unavailable'));
    });
  }

  /** Looks up every key, and returns the outcomes. `before` may throw for some keys. */
  function lookUpAll(before: (some: readonly string[]) => void): Promise<readonly unknown[]> {
    const lookups = new ReadBatcher<string>(async (some) => {
      asked.push(some);
      before(some);
      return new Map(some.map((key) => [key, `found ${key}`]));
    });
    return Promise.all(keys.map((key) => lookups.find(key, aCall()).catch(codeOf)));
  }
});

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}

function noServer(): Promise<unknown> {
  return thrownBy(new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 50 }).connect());
}

async function closedClient(): Promise<unknown> {
  const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 50 });
  await client.connect().catch(() => {});
  const asked = thrownBy(client.db().command({ ping: 1 }));
  await client.close();
  return asked;
}
