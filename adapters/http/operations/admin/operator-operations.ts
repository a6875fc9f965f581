import type { Administration } from '../../../../core/administration/administration.ts';
import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import { operatorScopes, type OperatorScope } from '../../../../core/key/operator/operator-scope.ts';
import { displayNameRule } from '../../../../core/parsing/display-name.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { operatorKeyView } from './admin-views.ts';
import { bodyReader } from './body-reader.ts';
import { issueDocs, keyListDocs, revokeDocs, rotateDocs } from './docs/key-docs.ts';
import { issuedAnswer, keyRules, rotationOf, scopesRule } from './key-bodies.ts';
import { pageIn } from './query-parameters.ts';

interface IssueBody {
  readonly name: string;
  readonly id?: string;
  readonly scopes?: readonly OperatorScope[];
  readonly expiresAt?: Date;
}

const readIssue = bodyReader<IssueBody>({ ...keyRules, name: displayNameRule, scopes: scopesRule(operatorScopes) }, [
  'name',
]);

const path = '/admin/operators';

const logged = (command: string, { id }: OperatorKey): { command: string; operatorKeyId: string } => ({
  command,
  operatorKeyId: id,
});

export function operatorRows(administration: Administration): readonly AdminRow[] {
  const { listOperatorKeys, issueOperatorKey, rotateOperatorKey, revokeOperatorKey } = administration;
  return [
    {
      id: 'listOperatorKeys',
      method: 'GET',
      path,
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
      path,
      access: 'admin:access',
      body: 'json',
      docs: issueDocs('operator'),
      answer: async ({ body, call }) => {
        const { id = null, name, scopes = operatorScopes, expiresAt = null } = readIssue(body);
        const answer = await issueOperatorKey({ id, name, scopes, expiresAt }, call);
        return issuedAnswer(answer, operatorKeyView, logged('operator issue', answer.issued));
      },
    },
    {
      id: 'rotateOperatorKey',
      method: 'POST',
      path: `${path}/:id/rotate`,
      access: 'admin:access',
      body: 'optional json',
      docs: rotateDocs('operator'),
      answer: async ({ parameters: { id = '' }, body, call }) => {
        const answer = await rotateOperatorKey(rotationOf(id, body), call);
        return issuedAnswer(answer, operatorKeyView, logged('operator rotate', answer.issued));
      },
    },
    {
      id: 'revokeOperatorKey',
      method: 'POST',
      path: `${path}/:id/revoke`,
      access: 'admin:access',
      docs: revokeDocs('operator'),
      answer: async ({ parameters: { id = '' }, call }) => {
        const { key, changed } = await revokeOperatorKey(id, call);
        return { data: operatorKeyView(key), changed: changed ? logged('operator revoke', key) : null };
      },
    },
  ];
}
