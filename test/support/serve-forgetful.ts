// A server as a process of its own, for tests that kill it: serve.ts STORE_URL [--forget]. Its address is the first line of stdout.
import { openStore } from '../../app/stores/open-store.ts';
import { tokens } from '../../app/tokens.ts';
import { defaultTtl, retentionFor } from '../../core/idempotency/retention.ts';
import { aCall } from './builders.ts';
import { Forgetful } from './forgetful.ts';
import { startService } from './service.ts';

const [url = '', option] = process.argv.slice(2);
const store = await openStore(url, { create: false }, retentionFor(defaultTtl), aCall());
const service = await startService(store, {
  clock: () => new Date(),
  rebind: (container) => {
    if (option !== '--forget') return;
    const forgetful = new Forgetful(container.get(tokens.allEntitlements), container.get(tokens.entitlements));
    container.rebind(tokens.entitlements).toConstantValue(forgetful);
    container.rebind(tokens.idempotencyRecords).toConstantValue({ find: async () => null });
  },
});
process.stdout.write(`${service.url}\n`);
