import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { lenderPort, type Wanted } from './lender.ts';

const borrowed = new Map<Wanted, Promise<string>>();
const loans = new Set<Socket>();

/** The address of what is lent to this process until `returnLoans`. */
export function borrow(wanted: Wanted): Promise<string> {
  const url = borrowed.get(wanted) ?? ask(wanted);
  borrowed.set(wanted, url);
  return url;
}

/** Gives back what this process has borrowed. Runs after each file. */
export function returnLoans(): void {
  for (const loan of loans) loan.destroy();
  loans.clear();
  borrowed.clear();
}

async function ask(wanted: Wanted): Promise<string> {
  const port = process.env[lenderPort];
  if (port === undefined) throw new Error(`No process lends a ${wanted}: run the tests with \`npm test\`.`);
  const socket = connect(Number(port), '127.0.0.1');
  loans.add(socket);
  socket.write(wanted);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.unref();
  const { url, error } = JSON.parse(answer.toString()) as { readonly url: string; readonly error?: string };
  if (error !== undefined) throw new Error(error);
  return url;
}
