import { identifierRule } from '../../../core/identifier.ts';
import { signingAlgorithm, signingKeyStates, type SigningKeyView } from '../../../core/receipt/signing-key.ts';
import { command, type CommandGroup, type Outcome } from '../declaration/command.ts';
import { optional, subject } from '../declaration/member.ts';
import {
  constant,
  described,
  enumOf,
  instant,
  listAnswerOf,
  named,
  nullableInstant,
  objectOf,
  text,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

/** The shown members of a key: nothing that signs. */
const columns = ['kid', 'state', 'alg', 'createdAt', 'activeAt', 'retiredAt', 'revokedAt', 'goodUntil'] as const;

function shownKey({ validUntil, ...key }: SigningKeyView): Record<(typeof columns)[number], unknown> {
  return only({ ...key, goodUntil: validUntil }, columns);
}

/** All keys, and since when apps can know the one that signs next. */
function keysOutcome(keys: readonly SigningKeyView[]): Outcome {
  const next = keys.find(({ state }) => state === 'next');
  const since = next?.createdAt.toISOString();
  return {
    data: keys.map(shownKey),
    table: { columns },
    ...(next !== undefined && {
      note: `The next key is published since ${since}. Ship it in your apps before you rotate.`,
    }),
  };
}

export const signingKeyCommands: CommandGroup = {
  name: 'signing-key',
  tag: { name: 'Signing keys', description: 'The keys that receipts are signed with.' },
  schemas: {
    SigningKeyState: described(
      '`next` is published before it signs, `active` signs, `retired` is published until `goodUntil`, `revoked` is not published.',
      enumOf(signingKeyStates),
    ),
    SigningKey: objectOf({
      kid: text,
      state: named('SigningKeyState'),
      alg: constant(signingAlgorithm),
      createdAt: described('Since when it is published.', instant),
      activeAt: described('Null if it has not signed anything.', nullableInstant),
      retiredAt: nullableInstant,
      revokedAt: nullableInstant,
      goodUntil: described('When the last of its receipts is over; null before it is retired.', nullableInstant),
    }),
    SigningKeysAnswer: listAnswerOf('SigningKey'),
  },
  commands: [
    command({
      verb: 'list',
      does: 'list the keys that sign receipts, the active one first',
      operation: {
        id: 'listSigningKeys',
        route: 'GET /admin/signing-keys',
        access: 'admin:read',
        summary: 'List the keys that sign receipts.',
        description:
          'The active one first, then the next one, then those before, the last one first. The list is empty where none have been made. Private halves are never shown.',
        answer: { schema: 'SigningKeysAnswer', description: 'The keys.' },
        refusals: ['limited_key'],
      },
      members: {},
      run: async ({ listSigningKeys }, _all, call) => keysOutcome(await listSigningKeys(call)),
    }),
    command({
      verb: 'rotate',
      does: 'let the next key sign from now on; apps must have been shipped with it',
      operation: {
        id: 'rotateSigningKeys',
        route: 'POST /admin/signing-keys/rotate',
        access: 'admin:access',
        summary: 'Let the next key sign from now on.',
        description:
          'Every process signs with it within ten seconds. Apps must know the next key before. With `from`, the id of the key that signs now, a request is safe to repeat: it changes nothing if that key was active before. Without `from`, each request rotates once more.',
        request: {
          schema: 'SigningKeyRotationRequest',
          example: { from: 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s' },
        },
        answer: { schema: 'SigningKeysAnswer', description: 'All keys, the active one first.' },
        refusals: ['limited_key', 'signing_key_not_found', 'changed_meanwhile'],
      },
      members: {
        from: optional('--from <kid>', 'the key that signs now, so that a repeat changes nothing', identifierRule),
      },
      hasBatch: false,
      log: {
        rotateSigningKeys: ({ keys: [active], changed }) =>
          changed && active !== undefined ? { signingKeyId: active.kid } : null,
      },
      run: async ({ rotateSigningKeys }, { from }, call) => keysOutcome((await rotateSigningKeys(from, call)).keys),
    }),
    command({
      verb: 'revoke',
      does: 'stop publishing a key; apps that have it trust it until they are updated',
      operation: {
        id: 'revokeSigningKey',
        route: 'POST /admin/signing-keys/:kid/revoke',
        access: 'admin:access',
        summary: 'Revoke a signing key.',
        description:
          'It is published no more. Revoking the active key rotates first, and revoking the next one makes another. **Apps that compiled the key in trust it until they are updated.** Revoking it again changes nothing.',
        answer: { schema: 'SigningKeyAnswer', description: 'The revoked key.' },
        refusals: ['limited_key', 'signing_key_not_found', 'changed_meanwhile'],
      },
      members: { kid: subject('<kid>', 'the id of the key') },
      log: { revokeSigningKey: ({ key, changed }) => (changed ? { signingKeyId: key.kid } : null) },
      run: async ({ revokeSigningKey }, { kid }, call) => ({
        data: shownKey((await revokeSigningKey(kid, call)).key),
      }),
    }),
    command({
      verb: 'export',
      does: 'print the public keys to be compiled into apps, as a JWK Set',
      operation: null,
      members: {},
      hasBatch: false,
      run: async ({ exportSigningKeys }, _all, call) => {
        const keys = await exportSigningKeys(call);
        return { data: keys, text: JSON.stringify(keys, null, 2) };
      },
    }),
  ],
};
