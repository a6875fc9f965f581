import type { Administration } from '../../../../core/administration/administration.ts';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { defaultOverlap, type IssuedKey, type KeyRotation } from '../../../../core/key/change-keys.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { listAnswer, type AdminAnswer, type AdminRow } from './admin-operation.ts';
import { appKeyView, operatorKeyView } from './admin-views.ts';
import { appKeyBody, keyRotationBody, operatorKeyBody } from './bodies/admin-bodies.ts';
import { issueDocs, keyListDocs, revokeDocs, rotateDocs } from './docs/key-docs.ts';
import { pageIn } from './query-parameters.ts';

const ofProduct = '/admin/products/:id/app-keys';
const ofKey = '/admin/app-keys/:id';

export function appKeyRows(administration: Administration): readonly AdminRow[] {
  const { listAppKeys, issueAppKey, rotateAppKey, revokeAppKey } = administration;
  return [
    {
      id: 'listAppKeys',
      method: 'GET',
      path: ofProduct,
      access: 'admin:read',
      docs: keyListDocs('app'),
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listAppKeys(request.parameters['id'] ?? '', page, request.call), appKeyView);
      },
    },
    {
      id: 'issueAppKey',
      method: 'POST',
      path: ofProduct,
      access: 'admin:access',
      body: 'optional json',
      docs: issueDocs('app'),
      answer: async ({ parameters: { id: productId = '' }, body, call }) => {
        const { id = null, scopes: granted = scopes, expiresAt = null } = appKeyBody.read(body);
        return issuedAnswer(await issueAppKey({ id, productId, scopes: granted, expiresAt }, call), appKeyView);
      },
    },
    {
      id: 'rotateAppKey',
      method: 'POST',
      path: `${ofKey}/rotate`,
      access: 'admin:access',
      body: 'optional json',
      docs: rotateDocs('app'),
      answer: async ({ parameters: { id = '' }, body, call }) =>
        issuedAnswer(await rotateAppKey(rotationOf(id, body), call), appKeyView),
    },
    {
      id: 'revokeAppKey',
      method: 'POST',
      path: `${ofKey}/revoke`,
      access: 'admin:access',
      docs: revokeDocs('app'),
      answer: async ({ parameters: { id = '' }, call }) => ({ data: appKeyView((await revokeAppKey(id, call)).key) }),
    },
  ];
}

const operators = '/admin/operators';

export function operatorRows(administration: Administration): readonly AdminRow[] {
  const { listOperatorKeys, issueOperatorKey, rotateOperatorKey, revokeOperatorKey } = administration;
  return [
    {
      id: 'listOperatorKeys',
      method: 'GET',
      path: operators,
      access: 'admin:read',
      docs: keyListDocs('operator'),
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listOperatorKeys(page, request.call), operatorKeyView);
      },
    },
    {
      id: 'issueOperatorKey',
      method: 'POST',
      path: operators,
      access: 'admin:access',
      body: 'json',
      docs: issueDocs('operator'),
      answer: async ({ body, call }) => {
        const { id = null, name, scopes: granted = operatorScopes, expiresAt = null } = operatorKeyBody.read(body);
        return issuedAnswer(await issueOperatorKey({ id, name, scopes: granted, expiresAt }, call), operatorKeyView);
      },
    },
    {
      id: 'rotateOperatorKey',
      method: 'POST',
      path: `${operators}/:id/rotate`,
      access: 'admin:access',
      body: 'optional json',
      docs: rotateDocs('operator'),
      answer: async ({ parameters: { id = '' }, body, call }) =>
        issuedAnswer(await rotateOperatorKey(rotationOf(id, body), call), operatorKeyView),
    },
    {
      id: 'revokeOperatorKey',
      method: 'POST',
      path: `${operators}/:id/revoke`,
      access: 'admin:access',
      docs: revokeDocs('operator'),
      answer: async ({ parameters: { id = '' }, call }) => ({
        data: operatorKeyView((await revokeOperatorKey(id, call)).key),
      }),
    },
  ];
}

/** The rotation of a key that a body asks for, whose members all have a default. */
function rotationOf(id: string, body: unknown): KeyRotation {
  const { newId = null, overlap = defaultOverlap, expiresAt = null } = keyRotationBody.read(body);
  return { id, newId, overlap, expiresAt };
}

/** The answer to an issued or rotated key, which is shown if it is new, and never again. */
function issuedAnswer<Key>({ issued, key }: IssuedKey<Key>, view: (key: Key) => object): AdminAnswer {
  return { status: key === null ? 200 : 201, data: { ...view(issued), key } };
}
