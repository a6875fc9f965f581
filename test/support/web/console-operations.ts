import { pino } from 'pino';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { loggingAdministration } from '../../../app/server/admin-port.ts';
import { servedConsole } from '../../../app/server/pages/console-operations.ts';
import { createContainer } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';

const container = createContainer(openMemoryStore(retentionFor(defaultTtl)).ports);
const administration = loggingAdministration(container, () => {}, defaultSettings);
const receipts = { issuer: () => 'https://latchkey.test', maxAge: defaultSettings.receiptMaxAge };
const context = { log: pino({ enabled: false }), publicUrl: () => 'https://latchkey.test' };
const keys = { signIn: container.get(tokens.signIn), findSession: container.get(tokens.findOperatorSession) };
const parts = { administration, isWritable: async () => true, receipts };

/** The table of everything that the console serves. */
export const { operations: consoleOperations } = servedConsole(container, parts, defaultSettings, context, keys);

/** The operations that need a session. */
export const consolePages = consoleOperations.filter((operation) => operation.caller === 'session');
