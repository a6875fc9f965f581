import { MongoClient } from 'mongodb';

/** What a server does to the commands that a fail point names. */
export type Failure =
  | { readonly closeConnection: true }
  | { readonly errorCode: number }
  | { readonly writeConcernError: { readonly code: number; readonly errmsg: string } }
  | { readonly blockConnection: true; readonly blockTimeMS: number };

/** Each way in which a command can fail, but for being blocked. */
export const failures: readonly { readonly name: string; readonly failure: Failure; readonly applied: boolean }[] = [
  { name: 'loses its connection before it runs', failure: { closeConnection: true }, applied: false },
  { name: 'meets a server that is no primary any more', failure: { errorCode: 10107 }, applied: false },
  {
    name: 'is applied and then fails',
    failure: { writeConcernError: { code: 91, errmsg: 'shutting down' } },
    applied: true,
  },
];

/** The one way that is missing there: longer than a store is waited for, and shorter than a request. */
export const blocked: Failure = { blockConnection: true, blockTimeMS: 4000 };

export interface FailPoint {
  /** Resolves when so many commands have met it. */
  readonly met: (times: number) => Promise<void>;
  /** Ends it early, once nothing is blocked by it any more. */
  readonly end: () => Promise<void>;
}

/** Lets `commands` fail during `work`, the first `times` of them; only those of the stores, none of the tests'. */
export async function whileFailing<T>(
  url: string,
  commands: readonly string[],
  failure: Failure,
  work: (point: FailPoint) => Promise<T>,
  times = 1_000_000,
): Promise<T> {
  const client = new MongoClient(url);
  const admin = client.db('admin');
  const data = { failCommands: commands, appName: 'latchkey', ...failure };
  const end = async (): Promise<void> => {
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
  };
  const { count } = await admin.command({ configureFailPoint: 'failCommand', mode: { times }, data });
  const met = async (so: number): Promise<void> => {
    await admin.command({ waitForFailPoint: 'failCommand', timesEntered: count + so, maxTimeMS: 5000 });
  };
  try {
    return await work({ met, end });
  } finally {
    await end();
    await client.close();
  }
}
