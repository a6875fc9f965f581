// Rotates the signing keys of a store: node rotate-signing-keys.ts STORE FROM WRITES. Prints whether it has changed them.
// Kills itself with SIGKILL after so many writes, be they statements of SQLite or packets to MongoDB; -1 means never.
import { Socket } from 'node:net';
import Database from 'better-sqlite3';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { rotateSigningKeys } from '../../../core/receipt/change-signing-keys.ts';
import { makeSigningKeys } from '../../../core/receipt/make-signing-keys.ts';
import { newSigningKey } from '../../../core/receipt/signing-key.ts';
import { aCall } from '../builders.ts';

const [url = '', from = '', last = ''] = process.argv.slice(2);
const store = await openStore(url, { create: false }, retentionFor(defaultTtl), aCall());
const { signingKeys } = store.ports;
const newSigner = newSigningKey(nodePlatform.newKeyPair, digest);
const rotate = rotateSigningKeys(signingKeys, makeSigningKeys(signingKeys, newSigner), newSigner);
if (last !== '-1') killAfter(Number(last));
const { changed } = await rotate(from, aCall({ now: new Date() }));
process.stdout.write(`${JSON.stringify({ changed })}\n`);
await store.close();

function killAfter(writes: number): void {
  let count = 0;
  if (writes === 0) die();
  const onWritten = (): void => {
    count += 1;
    if (count === writes) die();
  };
  const statements: { run: () => unknown } = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
  statements.run = new Proxy(statements.run, {
    apply: (run, statement, parameters) => {
      const result: unknown = Reflect.apply(run, statement, parameters);
      onWritten();
      return result;
    },
  });
  const sockets: { write: (...parameters: never[]) => unknown } = Socket.prototype;
  sockets.write = new Proxy(sockets.write, {
    apply: (write, socket: Socket, parameters: readonly unknown[]) => {
      // The output of the process itself goes on.
      if (socket.remotePort === undefined) return Reflect.apply(write, socket, parameters);
      const callback = parameters.at(-1);
      const rest = typeof callback === 'function' ? parameters.slice(0, -1) : parameters;
      const whenWritten = (...outcome: readonly unknown[]): void => {
        onWritten();
        if (typeof callback === 'function') callback(...outcome);
      };
      return Reflect.apply(write, socket, [...rest, whenWritten]);
    },
  });
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment, in which nothing more may be written.
  for (;;) continue;
}
