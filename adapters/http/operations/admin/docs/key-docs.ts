import type { ErrorCode } from '../../../refusals.ts';
import { appKeys, listParameters, operatorKeys, pathParameter, type AdminDocs } from './admin-docs.ts';

type Kind = 'app' | 'operator';

const keyNotFound: Readonly<Record<Kind, ErrorCode>> = {
  app: 'app_key_not_found',
  operator: 'operator_key_not_found',
};
const keyExists: Readonly<Record<Kind, ErrorCode>> = { app: 'app_key_exists', operator: 'operator_key_exists' };
const keyEnded: Readonly<Record<Kind, ErrorCode>> = { app: 'app_key_ended', operator: 'operator_key_ended' };

const tagOf = (kind: Kind): AdminDocs['tag'] => (kind === 'app' ? appKeys : operatorKeys);
const productId = pathParameter('id', 'The id of the product.');
const keyId = pathParameter('id', 'The id of the key.');

export function keyListDocs(kind: Kind): AdminDocs {
  return {
    tag: tagOf(kind),
    summary: kind === 'app' ? 'List the app keys of a product.' : 'List operator keys.',
    description: 'The oldest first, with those that have ended.',
    parameters: kind === 'app' ? [productId, ...listParameters] : listParameters,
    success: { description: 'A page of keys.', schema: kind === 'app' ? 'AppKeyPage' : 'OperatorKeyPage' },
    refusals: ['invalid_parameter', ...(kind === 'app' ? (['product_not_found'] as const) : [])],
  };
}

export function issueDocs(kind: Kind): AdminDocs {
  const owner = kind === 'app' ? 'product' : 'name';
  return {
    tag: tagOf(kind),
    summary: `Issue an ${kind} key.`,
    description: `The answer is the only one that shows the key. With the \`id\` of a key of the same ${owner}, nothing is issued and \`key\` is null, so a request with an \`id\` is safe to repeat. Without \`scopes\` the key has all of them.`,
    ...(kind === 'app' && { parameters: [productId] }),
    request:
      kind === 'app'
        ? { schema: 'AppKeyRequest', example: { id: 'key_server', scopes: ['read:entitlements'] } }
        : {
            schema: 'OperatorKeyRequest',
            example: { id: 'op_billing', name: 'Billing', scopes: ['admin:entitlements'] },
          },
    success: {
      description: 'The key that has the id, without the key itself.',
      created: 'The new key.',
      schema: kind === 'app' ? 'IssuedAppKeyAnswer' : 'IssuedOperatorKeyAnswer',
    },
    refusals: [...(kind === 'app' ? (['product_not_found'] as const) : []), keyExists[kind], 'expiry_too_early'],
  };
}

export function rotateDocs(kind: Kind): AdminDocs {
  return {
    tag: tagOf(kind),
    summary: `Replace an ${kind} key by a new one.`,
    description:
      'The new key has the scopes of the old one, which works until the overlap is over (24h by default). With the `newId` of the key of an earlier rotation, nothing is issued and `key` is null.',
    parameters: [keyId],
    request: { schema: 'KeyRotationRequest', example: { newId: 'key_next', overlap: '24h' } },
    success: {
      description: 'The key of an earlier rotation, without the key itself.',
      created: 'The new key.',
      schema: kind === 'app' ? 'IssuedAppKeyAnswer' : 'IssuedOperatorKeyAnswer',
    },
    refusals: [keyNotFound[kind], keyEnded[kind], keyExists[kind], 'expiry_too_early'],
  };
}

export function revokeDocs(kind: Kind): AdminDocs {
  return {
    tag: tagOf(kind),
    summary: `Revoke an ${kind} key.`,
    description: 'Every process refuses the key at once. Revoking it again changes nothing.',
    parameters: [keyId],
    success: { description: 'The revoked key.', schema: kind === 'app' ? 'AppKeyAnswer' : 'OperatorKeyAnswer' },
    refusals: [keyNotFound[kind]],
  };
}
