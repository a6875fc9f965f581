import { expect } from 'chai';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { ReadBatcher } from '../../../../adapters/mongo/driver/read-batcher.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
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

  it('gathers keys while a query is in flight, and sends them once it is answered', async () => {
    const { lookups, answer } = unanswered();
    const found = [];
    for (const key of keys) {
      found.push(lookups.find(key, aCall()));
      await endOfTurn();
    }
    answer.resolve();
    expect(await Promise.all(found)).to.deep.equal(keys.map((key) => `found ${key}`));
    expect(asked).to.deep.equal([['a'], ['b', 'c']]);
  });

  it('sends a query of many keys beside another one, but no third', async () => {
    const { lookups, answer } = unanswered();
    const found = [];
    for (const round of range(3)) {
      found.push(...range(20).map((index) => lookups.find(`${round}-${index}`, aCall())));
      await endOfTurn();
    }
    expect(asked.map(({ length }) => length)).to.deep.equal([20, 20]);
    answer.resolve();
    await Promise.all(found);
    expect(asked.map(({ length }) => length)).to.deep.equal([20, 20, 20]);
  });

  /** A batcher whose queries are answered together. */
  function unanswered(): { lookups: ReadBatcher<string>; answer: PromiseWithResolvers<void> } {
    const answer = Promise.withResolvers<void>();
    const lookups = new ReadBatcher<string>(async (some) => {
      asked.push(some);
      await answer.promise;
      return new Map(some.map((key) => [key, `found ${key}`]));
    });
    return { lookups, answer };
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
