import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { aCall, anOperatorKey } from '../builders.ts';
import { freePorts } from '../free-ports.ts';
import { fillStore } from '../stores/filled-store.ts';
import { openAt } from '../stores/stores.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** A server in its own process that serves the administration. */
export interface AdminServerProcess extends ServerProcess {
  readonly adminUrl: string;
}

/** Runs `latchkey serve` with the administration on a free port, and waits until it listens. */
export async function startAdminServer(storeUrl: string, flags: readonly string[] = []): Promise<AdminServerProcess> {
  const [port = 0] = await freePorts(1);
  const server = await startServerProcess(storeUrl, { flags: ['--admin-port', String(port), ...flags] });
  return { ...server, adminUrl: `http://127.0.0.1:${port}` };
}

/** Fills a store for other processes as `fillStore` does, and adds an operator key with every scope. */
export async function fillAdminStore(storeUrl: string, operatorKey: string, ids: readonly string[]): Promise<void> {
  await fillStore(storeUrl, 'an app key that nobody sends', ids);
  const store = await openAt(storeUrl);
  await store.allOperatorKeys.add(anOperatorKey({ digest: digest(operatorKey) }), aCall());
  await store.close();
}
