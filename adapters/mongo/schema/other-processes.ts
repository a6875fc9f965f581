import { setTimeout as wait } from 'node:timers/promises';
import { MongoServerError, type Db, type Document } from 'mongodb';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { servingAppName } from '../driver/address.ts';

const unauthorized = 13;

/** The time for which a busy server may list the connections of a process that has just ended, in milliseconds. */
const forgetting = 3000;

/**
 * Throws `UnusableStore` if a process of Latchkey stays connected to the server. The server does not tell which database
 * an idle connection uses, so that processes of other stores count too.
 */
export async function refuseOtherProcesses(db: Db): Promise<void> {
  const until = performance.now() + forgetting;
  let clients = await connectedClients(db);
  while (clients.length > 0 && performance.now() < until) {
    await wait(100);
    clients = await connectedClients(db);
  }
  if (clients.length === 0) return;
  throw new UnusableStore(
    `Latchkey has ${clients.length} open connections to this MongoDB server (from ${hostsOf(clients).join(', ')}). Stop every process of the older release first: it would lose events and repeat others. If they all use other databases, run \`latchkey store migrate --force\`.`,
  );
}

/** The addresses of the clients that are connected, idle ones included. */
async function connectedClients(db: Db): Promise<readonly string[]> {
  const admin = db.client.db('admin');
  const ask = async (allUsers: boolean): Promise<readonly string[]> => {
    const stages: Document[] = [
      { $currentOp: { allUsers, idleConnections: true } },
      { $match: { appName: servingAppName } },
      { $project: { _id: 0, client: 1 } },
    ];
    const found = await admin.aggregate<{ readonly client?: string }>(stages).toArray();
    return found.map(({ client = 'an unknown address' }) => client);
  };
  try {
    return await ask(true);
  } catch (error) {
    // To see the connections of other users takes a privilege that the user of a store need not have.
    if (!(error instanceof MongoServerError) || error.code !== unauthorized) throw error;
    return ask(false);
  }
}

function hostsOf(clients: readonly string[]): readonly string[] {
  return [...new Set(clients.map((client) => client.replace(/:\d+$/, '')))].toSorted((a, b) => (a < b ? -1 : 1));
}
