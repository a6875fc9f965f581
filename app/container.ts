import { Container } from 'inversify';
import { crc32, digest, randomBytes } from '../adapters/crypto/node-crypto.ts';
import { authenticate } from '../core/access/authenticate.ts';
import { changeCancellation } from '../core/entitlement/change-cancellation.ts';
import { readEntitlement } from '../core/entitlement/read-entitlement.ts';
import { verifyLicense } from '../core/license/verify-license.ts';
import type { Store } from './stores/store.ts';
import { tokens } from './tokens.ts';

/** Wires the use cases to an open store. */
export function createContainer(store: Store): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(store.module);
  container.bind(tokens.crc32).toConstantValue(crc32);
  container.bind(tokens.digest).toConstantValue(digest);
  container.bind(tokens.randomBytes).toConstantValue(randomBytes);
  container.bind(tokens.authenticate).toResolvedValue(authenticate, [tokens.appKeys, tokens.digest, tokens.crc32]);
  container
    .bind(tokens.changeCancellation)
    .toResolvedValue(changeCancellation, [tokens.entitlements, tokens.idempotencyRecords]);
  container.bind(tokens.readEntitlement).toResolvedValue(readEntitlement, [tokens.entitlements]);
  container.bind(tokens.verifyLicense).toResolvedValue(verifyLicense, [tokens.licenses, tokens.digest]);
  return container;
}
