import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokens } from '../../app/service/tokens.ts';
import type { AllOperatorKeys } from '../../core/key/operator/operator-keys.port.ts';
import { operatorKeys } from '../support/http/fixtures.ts';
import { startPopulated } from '../support/http/service-hooks.ts';
import { MailReceiver } from '../support/mail/mail-receiver.ts';
import { closed } from '../support/openapi/closed.ts';
import type { OpenApiDocument } from '../support/openapi/document.ts';

/**
 * The populated service in memory, until it is killed. For each of its interfaces it writes the OpenAPI document, with closed
 * answers, and then the address to a file in the named folder.
 */
const [folder = ''] = process.argv.slice(2);

/** The key with which the requests are sent. */
const ownKeyId = 'opk_of_the_generator';

const receiver = new MailReceiver();
await receiver.listen();

const service = await startPopulated({
  adminPort: 0,
  smtpUrl: receiver.address,
  mailFrom: { name: null, address: 'keys@latchkey.test' },
  rebind: (container) => {
    const keys = container.get<AllOperatorKeys>(tokens.allOperatorKeys);
    container.rebind(tokens.allOperatorKeys).toConstantValue(withoutKey(keys, ownKeyId));
  },
});
await service.addOperatorKey(operatorKeys.full, { id: ownKeyId });
await service.addOperatorKey(operatorKeys.reader, { id: 'opk_1' });

await describe('public', service.url, '/openapi.json');
await describe('admin', service.adminUrl ?? '', '/admin/openapi.json');

async function describe(name: string, address: string, path: string): Promise<void> {
  const document = (await (await fetch(address + path)).json()) as OpenApiDocument;
  await writeFile(join(folder, `${name}.json`), JSON.stringify(closed(document)));
  await writeFile(join(folder, `${name}.new`), address);
  await rename(join(folder, `${name}.new`), join(folder, `${name}.address`));
}

/**
 * The keys but for one, which no request can list, rotate or revoke: otherwise a generated request ends the key that the
 * others are sent with, and they are all answered 401.
 */
function withoutKey(keys: AllOperatorKeys, own: string): AllOperatorKeys {
  return {
    find: async (id, call) => (id === own ? null : keys.find(id, call)),
    page: async ({ after, limit }, call) => {
      const found = await keys.page({ after, limit: limit + 1 }, call);
      return found.filter(({ id }) => id !== own).slice(0, limit);
    },
    add: (key, call) => keys.add(key, call),
    end: (id, by, call) => keys.end(id, by, call),
  };
}
