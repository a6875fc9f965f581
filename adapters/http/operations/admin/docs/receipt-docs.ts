import { exampleKeyId } from '../../docs/examples.ts';
import { pathParameter, receipts, signingKeys, type AdminDocs } from './admin-docs.ts';

export const offlineReceiptDocs: AdminDocs = {
  tag: receipts,
  summary: 'Issue a signed receipt for a machine that may never have a network.',
  description:
    'It ends after `expires` (365d by default), but not later than the access of the entitlement as it is now. It cannot be recalled. Each request makes another receipt.',
  parameters: [pathParameter('id', 'The id of the entitlement.')],
  request: { schema: 'OfflineReceiptRequest', example: { expires: '365d' } },
  success: { description: 'The receipt.', schema: 'IssuedReceiptAnswer' },
  refusals: ['entitlement_not_found', 'license_not_found', 'no_access', 'clock_not_trusted', 'changed_meanwhile'],
};

export const listKeysDocs: AdminDocs = {
  tag: signingKeys,
  summary: 'List the keys that sign receipts.',
  description:
    'The active one first, then the next one, then those before, the last one first. The list is empty where none have been made. Private halves are never shown.',
  success: { description: 'The keys.', schema: 'SigningKeysAnswer' },
  refusals: [],
};

export const rotateKeysDocs: AdminDocs = {
  tag: signingKeys,
  summary: 'Let the next key sign from now on.',
  description:
    'Every process signs with it within ten seconds. Apps must know the next key before. With `from`, the id of the key that signs now, a request is safe to repeat: it changes nothing if that key was active before. Without `from`, each request rotates once more.',
  request: { schema: 'SigningKeyRotationRequest', example: { from: exampleKeyId } },
  success: { description: 'All keys, the active one first.', schema: 'SigningKeysAnswer' },
  refusals: ['signing_key_not_found', 'changed_meanwhile'],
};

export const revokeKeyDocs: AdminDocs = {
  tag: signingKeys,
  summary: 'Revoke a signing key.',
  description:
    'It is published no more. Revoking the active key rotates first, and revoking the next one makes another. **Apps that compiled the key in trust it until they are updated.** Revoking it again changes nothing.',
  parameters: [pathParameter('kid', 'The id of the key.')],
  success: { description: 'The revoked key.', schema: 'SigningKeyAnswer' },
  refusals: ['signing_key_not_found', 'changed_meanwhile'],
};
