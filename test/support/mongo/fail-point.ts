import { MongoClient } from 'mongodb';

/** The way in which the commands of a fail point fail. */
export type Failure =
  | { readonly closeConnection: true }
  | { readonly errorCode: number }
  | { readonly writeConcernError: { readonly code: number; readonly errmsg: string } }
  | { readonly blockConnection: true; readonly blockTimeMS: number };

/** Every way in which a command can fail, except by being blocked. `applied` tells whether its write is applied. */
export const failures: readonly { readonly name: string; readonly failure: Failure; readonly applied: boolean }[] = [
  { name: 'loses its connection before it runs', failure: { closeConnection: true }, applied: false },
  { name: 'reaches a server that is no longer primary', failure: { errorCode: 10107 }, applied: false },
  {
    name: 'is applied and then fails',
    failure: { writeConcernError: { code: 91, errmsg: 'shutting down' } },
    applied: true,
  },
];

/** Blocks a command for longer than a reply is awaited, and for less than a request may take. */
export const blocked: Failure = { blockConnection: true, blockTimeMS: 4000 };

export interface FailPoint {
  /** Resolves when `times` commands have failed. */
  readonly met: (times: number) => Promise<void>;
  /** Ends the fail point early. Resolves when it blocks no command any longer. */
  readonly end: () => Promise<void>;
}

/** The commands that fail: all those on one collection, named with its database, after the first `skip`. */
export interface FailingPart {
  readonly skip: number;
  readonly namespace: string;
}

/** Makes the first `times` of these commands fail during `work`: those of the stores, not those of the tests. */
export async function whileFailing<T>(
  url: string,
  commands: readonly string[],
  failure: Failure,
  work: (point: FailPoint) => Promise<T>,
  times: number | FailingPart = 1_000_000,
): Promise<T> {
  const client = new MongoClient(url);
  const admin = client.db('admin');
  const part = typeof times === 'number' ? {} : { namespace: times.namespace };
  const mode = typeof times === 'number' ? { times } : { skip: times.skip };
  const data = { failCommands: commands, appName: 'latchkey', ...failure, ...part };
  const end = async (): Promise<void> => {
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
  };
  const { count } = await admin.command({ configureFailPoint: 'failCommand', mode, data });
  const met = async (so: number): Promise<void> => {
    await admin.command({ waitForFailPoint: 'failCommand', timesEntered: count + so, maxTimeMS: 50_000 });
  };
  try {
    return await work({ met, end });
  } finally {
    await end();
    await client.close();
  }
}
