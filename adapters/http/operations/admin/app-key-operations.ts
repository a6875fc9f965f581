import type { Administration } from '../../../../core/administration/administration.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import { scopes, type Scope } from '../../../../core/key/app/scope.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { appKeyView } from './admin-views.ts';
import { bodyReader } from './body-reader.ts';
import { issueDocs, keyListDocs, revokeDocs, rotateDocs } from './docs/key-docs.ts';
import { issuedAnswer, keyRules, rotationOf, scopesRule } from './key-bodies.ts';
import { pageIn } from './query-parameters.ts';

interface IssueBody {
  readonly id?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date;
}

const readIssue = bodyReader<IssueBody>({ ...keyRules, scopes: scopesRule(scopes) }, []);

const ofProduct = '/admin/products/:id/app-keys';
const ofKey = '/admin/app-keys/:id';

const logged = (command: string, { id }: AppKey): { command: string; appKeyId: string } => ({ command, appKeyId: id });

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
        const { id = null, scopes: granted = scopes, expiresAt = null } = readIssue(body);
        const answer = await issueAppKey({ id, productId, scopes: granted, expiresAt }, call);
        return issuedAnswer(answer, appKeyView, logged('key issue', answer.issued));
      },
    },
    {
      id: 'rotateAppKey',
      method: 'POST',
      path: `${ofKey}/rotate`,
      access: 'admin:access',
      body: 'optional json',
      docs: rotateDocs('app'),
      answer: async ({ parameters: { id = '' }, body, call }) => {
        const answer = await rotateAppKey(rotationOf(id, body), call);
        return issuedAnswer(answer, appKeyView, logged('key rotate', answer.issued));
      },
    },
    {
      id: 'revokeAppKey',
      method: 'POST',
      path: `${ofKey}/revoke`,
      access: 'admin:access',
      docs: revokeDocs('app'),
      answer: async ({ parameters: { id = '' }, call }) => {
        const { key, changed } = await revokeAppKey(id, call);
        return { data: appKeyView(key), changed: changed ? logged('key revoke', key) : null };
      },
    },
  ];
}
