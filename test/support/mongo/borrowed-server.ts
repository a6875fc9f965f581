import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { lenderPort, type Wanted } from './lender.ts';

/** A MongoDB server of the run. */
export interface BorrowedServer {
  /** The address of a database on it. */
  url(database: string): string;
}

const borrowed = new Map<Wanted, Promise<BorrowedServer>>();
const loans = new Set<Socket>();

/** The server that is lent to this process until `returnServers`. */
export function borrowServer(wanted: Wanted): Promise<BorrowedServer> {
  const server = borrowed.get(wanted) ?? borrow(wanted);
  borrowed.set(wanted, server);
  return server;
}

/** Gives back what this process has borrowed. Runs after each file. */
export function returnServers(): void {
  for (const loan of loans) loan.destroy();
  loans.clear();
  borrowed.clear();
}

async function borrow(wanted: Wanted): Promise<BorrowedServer> {
  const port = process.env[lenderPort];
  if (port === undefined) throw new Error('No process lends MongoDB servers: run the tests with `npm test`.');
  const socket = connect(Number(port), '127.0.0.1');
  loans.add(socket);
  socket.write(wanted);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.unref();
  const { url, error } = JSON.parse(answer.toString()) as { readonly url: string; readonly error?: string };
  if (error !== undefined) throw new Error(error);
  return { url: (database) => url.replace(/\/(?=\?)/, `/${database}`) };
}
