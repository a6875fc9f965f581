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

  it('asks for each key alone where a server has refused a batch, and keeps what is wrong with one from the others', async () => {
    const refusal = new MongoServerError({ message: 'a key that the server does not like', code: 2 });
    const outcomes = await lookUpAll((some) => {
      if (some.includes('b')) throw refusal;
    });
    expect(asked).to.deep.equal([keys, ['a'], ['b'], ['c']]);
    expect(outcomes).to.deep.equal(['found a', 'store_unavailable', 'found c']);
  });

  for (const [what, error] of [
    ['the connection is lost', new MongoNetworkError('connection closed')],
    ['the server is no primary any more', new MongoServerError({ message: 'stepped down', code: 189 })],
    ['the primary is too new for majority reads', new MongoServerError({ message: 'not yet', code: 134 })],
    ['a router cannot reach its shard', new MongoServerError({ message: 'unreachable', code: 6 })],
  ] as const) {
    it(`asks once more for all keys, and for none alone, where ${what}`, async () => {
      const outcomes = await lookUpAll(() => {
        throw error;
      });
      expect(asked).to.deep.equal([keys, keys]);
      expect(outcomes).to.deep.equal(keys.map(() => 'store_unavailable'));
    });
  }

  for (const [what, failure] of [
    ['there is no server', noServer],
    ['the store is closed', closedClient],
  ] as const) {
    it(`asks for no key alone where ${what}`, async () => {
      const error = await failure();
      const outcomes = await lookUpAll(() => {
        throw error;
      });
      expect(asked).to.deep.equal([keys]);
      expect(outcomes).to.deep.equal(keys.map(() => 'store_unavailable'));
    });
  }

  /** What became of the look-up of each key, where `before` may fail for some. */
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
