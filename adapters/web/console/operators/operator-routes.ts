import type { Call } from '../../../../core/call.ts';
import type { IssuedKey } from '../../../../core/key/change-keys.ts';
import { operatorScopes, scopesOfLimited, type OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { newOperatorKey } from '../../../administration/commands/key/key-members.ts';
import { html, type Html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { statusLine, written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import { may, must } from '../form/form-members.ts';
import { shown, type ConsoleAnswer, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { keyChanges } from '../keys/key-changes.ts';
import { newKeyMembers, tooEarly } from '../keys/key-forms.ts';
import { keyFacts } from '../keys/key-table.ts';
import {
  issueOperatorPath,
  operatorDone,
  operatorListPage,
  operatorPath,
  operatorsPath,
  productsOf,
} from './operator-list-page.ts';

const crumb = { href: operatorsPath, text: 'Operators' };

const members = {
  name: must(newOperatorKey.name),
  products: may(newOperatorKey.products),
  ...newKeyMembers(newOperatorKey, operatorScopes),
};

/** The fields for a limited key, which issues only keys for its own products. */
const membersOfLimited = {
  ...members,
  products: must(newOperatorKey.products, {
    hint: 'Ids of your products, with spaces between them. The key reaches nothing else.',
  }),
  ...newKeyMembers(newOperatorKey, scopesOfLimited),
};

export function operatorRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { listOperatorKeys } = parts.administration;
  return [
    {
      id: 'consoleOperators',
      method: 'GET',
      path: operatorsPath,
      access: 'admin:read',
      handle: async ({ call, query, view }) => {
        const part = pageIn(query);
        return shown(
          operatorListPage(view, await listOperatorKeys(part, call), part.after, statusLine(query, operatorDone)),
        );
      },
    },
    ...issueRoutes(parts),
    ...changeRoutes(parts),
  ];
}

function issueRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'IssueOperatorKey',
    path: issueOperatorPath,
    access: 'admin:access',
    find: async () => null,
    asks: (_none, { view }) => ({
      path: [crumb],
      here: 'New operator key',
      title: 'Issue an operator key',
      text: html`A person or system that has the key runs the shop within its scopes, here and over HTTP. It is shown
      once.`,
      members: view.isLimited ? membersOfLimited : members,
      button: 'Issue operator key',
    }),
    back: () => ({ href: operatorsPath, text: 'Back to the operators' }),
    proposes: () => ({ id: newIds.newOperatorKeyId(), scopes: 'admin:read' }),
    members,
    refusals: {
      operator_key_exists: { member: 'id', problem: 'is that of another operator key' },
      product_not_found: { member: 'products', problem: 'must be ids of products' },
      limited_key: { member: 'products', problem: 'must be among those of your key, and admin:waitlist needs none' },
      expiry_too_early: tooEarly,
    },
    act: async ({ expiresAt = null, products = null, ...terms }, _none, { call }) =>
      readyPage(await administration.issueOperatorKey({ ...terms, products, expiresAt }, call), 'New operator key'),
  });
}

/** The further facts on the pages about an operator key. */
function operatorFacts({ name, products }: OperatorKey): readonly (readonly [name: string, value: Html | string])[] {
  return [
    ['Name', written(name)],
    ['Products', productsOf({ products })],
  ];
}

function readyPage({ issued, key }: IssuedKey<OperatorKey>, here: string): ConsoleAnswer {
  return shown(
    shownOncePage({
      path: [crumb],
      here,
      heading: 'The operator key is ready',
      label: 'Operator key',
      secret: key,
      advice: 'Only a digest of it is stored. If you lose it, rotate it.',
      facts: keyFacts(issued, operatorFacts(issued)),
      back: operatorsPath,
    }),
  );
}

function changeRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  const find = async (id: string, call: Call): Promise<OperatorKey> => {
    const key = await administration.findOperatorKey(id, call);
    if (key === null) throw new Refusal('operator_key_not_found');
    return key;
  };
  return keyChanges<OperatorKey, null>({
    kind: 'OperatorKey',
    noun: 'operator key',
    path: operatorPath,
    find,
    findNew: administration.findOperatorKey,
    owner: async () => null,
    crumbs: () => [crumb],
    back: () => operatorsPath,
    facts: (key) => keyFacts(key, operatorFacts(key)),
    victims: (key, _owner, { operatorKey }) =>
      key.id === operatorKey.id
        ? html`<strong>You</strong>, because you are signed in with this key, and all others who use it`
        : html`People and systems that use it, and their open sessions here,`,
    rotate: administration.rotateOperatorKey,
    revoke: administration.revokeOperatorKey,
    ready: (_owner, issued, here) => readyPage(issued, here),
    exists: 'operator_key_exists',
    ended: 'operator_key_ended',
    newId: newIds.newOperatorKeyId,
  });
}
