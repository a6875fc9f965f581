import type { Administration } from '../../../../core/administration/administration.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import { type IssuedKey, type RevokedKey, type RevokeKey, type RotateKey } from '../../../../core/key/change-keys.ts';
import { operatorScopes, scopesOfLimited, type OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { StoredKey } from '../../../../core/key/stored-key.ts';
import {
  command,
  list,
  type Command,
  type CommandGroup,
  type DeclaredOperation,
  type Outcome,
} from '../../declaration/command.ts';
import { required, subject } from '../../declaration/member.ts';
import {
  described,
  enumOf,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  text,
} from '../../declaration/schema-parts.ts';
import { newAppKey, newOperatorKey, rotation } from './key-members.ts';

/** The differences between the commands about kinds of keys. `own` are the members that only keys of this kind have. */
interface Kind<Key extends StoredKey> {
  readonly kind: 'app' | 'operator';
  readonly name: 'AppKey' | 'OperatorKey';
  /** Where one key is. */
  readonly path: '/admin/app-keys/:id' | '/admin/operators/:id';
  readonly own: readonly (keyof Key & string)[];
  readonly owner: 'product' | 'name and the same products';
  readonly rotate: (administration: Administration) => RotateKey<Key>;
  readonly revoke: (administration: Administration) => RevokeKey<Key>;
  /** The cautions for a person who issues such a key. */
  readonly caution?: (issued: Key) => readonly string[];
}

const apps: Kind<AppKey> = {
  kind: 'app',
  name: 'AppKey',
  path: '/admin/app-keys/:id',
  own: ['productId'],
  owner: 'product',
  rotate: ({ rotateAppKey }) => rotateAppKey,
  revoke: ({ revokeAppKey }) => revokeAppKey,
};

const operators: Kind<OperatorKey> = {
  kind: 'operator',
  name: 'OperatorKey',
  path: '/admin/operators/:id',
  own: ['name', 'products'],
  owner: 'name and the same products',
  rotate: ({ rotateOperatorKey }) => rotateOperatorKey,
  revoke: ({ revokeOperatorKey }) => revokeOperatorKey,
  caution: cautionAbout,
};

function columnsOf<Key extends StoredKey>({ own }: Kind<Key>): readonly (keyof Key & string)[] {
  return ['id', ...own, 'lastFour', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'];
}

/** A key without its digest. */
function viewOf<Key extends StoredKey>(kind: Kind<Key>, key: Key): object {
  return Object.fromEntries(columnsOf(kind).map((member) => [member, key[member]]));
}

function issuedOutcome<Key extends StoredKey>(kind: Kind<Key>, { issued, key }: IssuedKey<Key>): Outcome {
  const { id, scopes: granted, expiresAt } = issued;
  return {
    data: { ...viewOf(kind, issued), key },
    isNew: key !== null,
    shown: {
      id,
      key,
      ...Object.fromEntries(kind.own.map((member) => [member, issued[member]])),
      scopes: granted,
      expiresAt,
    },
    note: [
      key === null ? 'The key was issued before and is not shown again.' : 'The key is shown only this once.',
      ...(kind.caution?.(issued) ?? []),
    ].join(' '),
  };
}

/** A key with all scopes can issue any other, so that it should not last by accident. */
function cautionAbout({ scopes: granted, expiresAt }: OperatorKey): readonly string[] {
  if (!operatorScopes.every((scope) => granted.includes(scope))) return [];
  return expiresAt === null
    ? ['It has all scopes and never expires: limit a key with --scope and --expires.']
    : ['It has all scopes: limit a key with --scope.'];
}

function issueDocs(
  { kind, name, owner }: Pick<Kind<never>, 'kind' | 'name' | 'owner'>,
  example: object,
): Omit<DeclaredOperation, 'id' | 'route' | 'access'> {
  return {
    summary: `Issue an ${kind} key.`,
    description: `The answer is the only one that shows the key. With the \`id\` of a key of the same ${owner}, nothing is issued and \`key\` is null, so a request with an \`id\` is safe to repeat. Without \`scopes\` the key has all that it can have.`,
    request: { schema: `${name}Request`, example },
    answer: {
      schema: `Issued${name}Answer`,
      description: 'The key that has the id, without the key itself.',
      created: 'The new key.',
    },
    refusals: [
      'product_not_found',
      ...(kind === 'operator' ? (['limited_key'] as const) : []),
      `${kind}_key_exists`,
      'expiry_too_early',
    ],
  };
}

const keyId = subject('<id>', 'the id of the key');

function changesOf<Key extends StoredKey>(own: Kind<Key>): readonly Command[] {
  const { kind, name, path } = own;
  const idMember = `${kind}KeyId`;
  return [
    command({
      verb: 'rotate',
      does: 'issue a new key to replace another, which expires after the overlap',
      operation: {
        id: `rotate${name}`,
        route: `POST ${path}/rotate`,
        access: 'admin:access',
        summary: `Replace an ${kind} key by a new one.`,
        description:
          'The new key has the scopes, and an operator key the products, of the old one, which works until the overlap is over (24h by default). With the `newId` of the key of an earlier rotation, nothing is issued and `key` is null.',
        request: { schema: 'KeyRotationRequest', example: { newId: 'key_next', overlap: '24h' } },
        answer: {
          schema: `Issued${name}Answer`,
          description: 'The key of an earlier rotation, without the key itself.',
          created: 'The new key.',
        },
        refusals: [`${kind}_key_not_found`, `${kind}_key_ended`, `${kind}_key_exists`, 'expiry_too_early'],
      },
      members: {
        id: { ...keyId, says: 'the id of the old key', docs: 'The id of the key.' },
        ...rotation,
      },
      log: {
        [`rotate${name}`]: ({ issued, key }: IssuedKey<Key>) => (key === null ? null : { [idMember]: issued.id }),
      },
      run: async (administration, values, call) => issuedOutcome(own, await own.rotate(administration)(values, call)),
    }),
    command({
      verb: 'revoke',
      does: `revoke an ${kind} key at once`,
      operation: {
        id: `revoke${name}`,
        route: `POST ${path}/revoke`,
        access: 'admin:access',
        summary: `Revoke an ${kind} key.`,
        description: 'Every process refuses the key at once. Revoking it again changes nothing.',
        answer: { schema: `${name}Answer`, description: 'The revoked key.' },
        refusals: [`${kind}_key_not_found`],
      },
      members: { id: keyId },
      log: { [`revoke${name}`]: ({ changed }: RevokedKey<Key>, id: string) => (changed ? { [idMember]: id } : null) },
      run: async (administration, { id }, call) => ({
        data: viewOf(own, (await own.revoke(administration)(id, call)).key),
      }),
    }),
  ];
}

const ofProduct = {
  ...required('--product <id>', 'the product that the key belongs to', identifierRule),
  docs: 'The id of the product.',
  inPath: 'id',
};

const listed = { description: 'The oldest first, with those that have ended.' };

const storedKey = {
  lastFour: described('The last four characters of the key, for display.', text),
  createdAt: instant,
  expiresAt: described('Null if the key never expires.', nullableInstant),
  revokedAt: nullableInstant,
  lastUsedAt: described('Accurate to about a minute.', nullableInstant),
};
const appKey = { id: text, productId: text, scopes: listOf(named('Scope')), ...storedKey };
const productsOfKey = described(
  'The products that the key is limited to; null for every product and what belongs to none.',
  { type: ['array', 'null'], items: named('Identifier') },
);
const operatorKey = {
  id: text,
  name: text,
  products: productsOfKey,
  scopes: listOf(named('OperatorScope')),
  ...storedKey,
};
const issuedKey = { key: described('The key, shown only this once; null in a repeated request.', nullableText) };

export const appKeyCommands: CommandGroup = {
  name: 'key',
  tag: { name: 'App keys', description: "The credentials of products' servers." },
  schemas: { AppKey: objectOf(appKey), IssuedAppKey: objectOf({ ...appKey, ...issuedKey }) },
  commands: [
    list({
      does: 'list app keys, without the keys themselves',
      operation: {
        ...listed,
        id: 'listAppKeys',
        route: 'GET /admin/products/:id/app-keys',
        access: 'admin:read',
        summary: 'List the app keys of a product.',
        answer: { schema: 'AppKeyPage', description: 'A page of keys.' },
        refusals: ['product_not_found'],
      },
      members: { productId: { ...ofProduct, option: null } },
      page: ({ listAppKeys }, { productId }, page, call) => listAppKeys(productId, page, call),
      every: ({ everyAppKey }, _all, newCall) => everyAppKey(newCall),
      view: (key) => viewOf(apps, key),
      columns: columnsOf(apps),
    }),
    command({
      verb: 'issue',
      does: 'issue an app key, which is shown only once',
      operation: {
        ...issueDocs(apps, { id: 'key_server', scopes: ['read:entitlements'] }),
        id: 'issueAppKey',
        route: 'POST /admin/products/:id/app-keys',
        access: 'admin:access',
      },
      members: { productId: ofProduct, ...newAppKey },
      order: ['productId', 'scopes', 'expiresAt', 'id'],
      log: { issueAppKey: ({ issued, key }) => (key === null ? null : { appKeyId: issued.id }) },
      run: async ({ issueAppKey }, terms, call) => issuedOutcome(apps, await issueAppKey(terms, call)),
    }),
    ...changesOf(apps),
  ],
};

export const operatorCommands: CommandGroup = {
  name: 'operator',
  tag: {
    name: 'Operator keys',
    description: 'The credentials of those who administer, such as a billing system or a support desk.',
  },
  schemas: {
    OperatorScope: described('What an operator key may be used for.', enumOf(operatorScopes)),
    OperatorKey: objectOf(operatorKey),
    IssuedOperatorKey: objectOf({ ...operatorKey, ...issuedKey }),
  },
  commands: [
    list({
      does: 'list operator keys, without the keys themselves',
      operation: {
        ...listed,
        id: 'listOperatorKeys',
        route: 'GET /admin/operators',
        access: 'admin:read',
        summary: 'List operator keys.',
        answer: { schema: 'OperatorKeyPage', description: 'A page of keys.' },
        refusals: [],
      },
      members: {},
      page: ({ listOperatorKeys }, _all, page, call) => listOperatorKeys(page, call),
      every: ({ everyOperatorKey }, _all, newCall) => everyOperatorKey(newCall),
      view: (key) => viewOf(operators, key),
      columns: columnsOf(operators),
    }),
    command({
      verb: 'issue',
      does: 'issue an operator key, which is shown only once',
      operation: {
        ...issueDocs(operators, { id: 'op_billing', name: 'Billing', scopes: ['admin:entitlements'] }),
        id: 'issueOperatorKey',
        route: 'POST /admin/operators',
        access: 'admin:access',
      },
      members: {
        ...newOperatorKey,
      },
      order: ['name', 'products', 'scopes', 'expiresAt', 'id'],
      log: { issueOperatorKey: ({ issued, key }) => (key === null ? null : { operatorKeyId: issued.id }) },
      run: async ({ issueOperatorKey }, { scopes: asked, ...terms }, call) => {
        const scopes = asked ?? (terms.products === null ? operatorScopes : scopesOfLimited);
        return issuedOutcome(operators, await issueOperatorKey({ ...terms, scopes }, call));
      },
    }),
    ...changesOf(operators),
  ],
};
