// Usage: serve-forgetful.ts STORE_URL. Serves without remembering idempotency keys, and prints its address as `serve --json` does.
import { tokens } from '../../../app/service/tokens.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { TestService } from '../http/test-service.ts';
import { secretsIn } from '../run/output-search.ts';
import { Forgetful } from './forgetful.ts';

const [url = ''] = process.argv.slice(2);
const store = await openStore(url, { create: false }, retentionFor(defaultTtl), aCall());
const service = await TestService.start(store, {
  clock: () => new Date(),
  // The run of tests that started this process searches its standard error.
  onLogLine: (line) => {
    if (secretsIn(line).length > 0) process.stderr.write(line);
  },
  rebind: (container) => {
    const forgetful = new Forgetful(container.get(tokens.allEntitlements), container.get(tokens.entitlements));
    container.rebind(tokens.entitlements).toConstantValue(forgetful);
    container.rebind(tokens.idempotencyRecords).toConstantValue({ find: async () => null });
  },
});
process.stdout.write(`${JSON.stringify({ address: service.url })}\n`);
