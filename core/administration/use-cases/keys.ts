import { appKeyKind } from '../../key/app/app-key.ts';
import { everyAppKey, issueAppKey, listAppKeys, rotateAppKey } from '../../key/app/app-keys.ts';
import { revokeKey } from '../../key/change-keys.ts';
import { newKey } from '../../key/key-kind.ts';
import { operatorKeyKind } from '../../key/operator/operator-key.ts';
import {
  everyOperatorKey,
  issueOperatorKey,
  listOperatorKeys,
  rotateOperatorKey,
} from '../../key/operator/operator-keys.ts';
import { allowedWhere, ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Keys of apps and of operators. */
export function keysOf({ ports, platform }: Pick<Parts, 'ports' | 'platform'>) {
  const { products, allAppKeys, allOperatorKeys } = ports;
  const { crc32, digest, newAppKeyId, newOperatorKeyId, randomBytes } = platform;
  const makeAppKey = newKey(appKeyKind, newAppKeyId, randomBytes, crc32, digest);
  const makeOperatorKey = newKey(operatorKeyKind, newOperatorKeyId, randomBytes, crc32, digest);
  return ofProducts({
    issueAppKey: issueAppKey(products, allAppKeys, makeAppKey),
    listAppKeys: listAppKeys(products, allAppKeys),
    findAppKey: allAppKeys.find.bind(allAppKeys),
    everyAppKey: everyAppKey(allAppKeys),
    revokeAppKey: revokeKey(appKeyKind, allAppKeys),
    rotateAppKey: rotateAppKey(allAppKeys, makeAppKey),
    issueOperatorKey: allowedWhere(
      issueOperatorKey(products, allOperatorKeys, makeOperatorKey),
      (_mine, { products: its }) => its !== null,
    ),
    listOperatorKeys: listOperatorKeys(allOperatorKeys),
    findOperatorKey: allOperatorKeys.find.bind(allOperatorKeys),
    everyOperatorKey: everyOperatorKey(allOperatorKeys),
    revokeOperatorKey: revokeKey(operatorKeyKind, allOperatorKeys),
    rotateOperatorKey: rotateOperatorKey(allOperatorKeys, makeOperatorKey),
  });
}
