import type { IssueReceipt } from '../../../core/receipt/issue-receipt.ts';
import type { ReadPublishedKeys } from '../../../core/receipt/list-signing-keys.ts';
import { forAnHour, noStore, varyByEdition } from '../answer.ts';
import { weakEtag } from '../etag.ts';
import { receiptExample, signingKeySetExample } from './docs/examples.ts';
import { licenses, service, type OperationDocs } from './docs/operation-docs.ts';
import { checkLicense } from './license-operations.ts';
import type { Operation } from './operation.ts';
import { dataBody, receiptView } from './views.ts';

const receiptDocs: OperationDocs = {
  tag: licenses,
  summary: 'Get a signed receipt of a license, for apps that must run while the service is out of reach.',
  description:
    "A receipt is a JWS that an app verifies by itself, with the public keys that it was shipped with. Keep it, fetch another after `refreshAfter`, and ask `verifyLicense` first wherever the service can be reached. An unknown, a revoked and another product's key get the same 404. The request changes nothing.",
  request: {
    schema: 'LicenseVerificationRequest',
    example: { licenseKey: 'a-license-key-of-a-buyer', productId: 'prod_1' },
  },
  success: { description: 'The receipt.', schema: 'IssuedReceiptAnswer', example: receiptExample },
  refusals: ['malformed_license_key', 'license_not_found', 'no_access', 'clock_not_trusted'],
  acceptedScope: 'read:licenses',
};

const keysDocs: OperationDocs = {
  tag: service,
  summary: 'Get the public keys that receipts are verified with.',
  description:
    'A JWK Set (RFC 7517) of the active, the next and the retired keys, for people who build apps. An app must not fetch the keys that it trusts: compile them in, with the next one, before a rotation.',
  success: {
    description: 'The keys.',
    schema: 'SigningKeySet',
    example: signingKeySetExample,
    mediaType: 'application/jwk-set+json',
  },
  headers: ['ETag', 'Vary'],
  refusals: [],
};

/** Receipts of licenses. `issuer` is the `resource` of the RFC 9728 metadata. */
export function receiptOperations(issueReceipt: IssueReceipt, issuer: () => string): readonly Operation[] {
  return [
    {
      id: 'issueReceipt',
      method: 'POST',
      path: '/api/licenses/receipt',
      caller: 'anyone',
      body: 'json',
      crossOrigin: true,
      errors: 'standard',
      docs: receiptDocs,
      handle: async ({ body, call }) => {
        const { licenseKey, productId } = checkLicense(body);
        const issued = await issueReceipt({ licenseKey, productId: productId ?? null, issuer: issuer() }, call);
        const content = dataBody(JSON.stringify(receiptView(issued)), call.correlationId);
        return { status: 200, body: content, cacheControl: noStore, entitlementId: issued.entitlementId };
      },
    },
  ];
}

/** The keys that receipts are verified with. */
export function signingKeyOperations(readPublishedKeys: ReadPublishedKeys): readonly Operation[] {
  return [
    {
      id: 'getSigningKeys',
      method: 'GET',
      path: '/.well-known/jwks.json',
      caller: 'anyone',
      body: 'ignored',
      crossOrigin: true,
      errors: 'standard',
      docs: keysDocs,
      handle: async ({ call }) => {
        const body = JSON.stringify(await readPublishedKeys(call));
        return {
          status: 200,
          body,
          contentType: 'application/jwk-set+json',
          cacheControl: forAnHour,
          etag: weakEtag(body),
          headers: varyByEdition,
        };
      },
    },
  ];
}
