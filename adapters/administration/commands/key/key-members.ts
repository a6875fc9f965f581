import { identifierRule } from '../../../../core/identifier.ts';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { operatorScopes, productsRule, type OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { booleanRule, displayNameRule, oneOf, type ValueRule } from '../../../../core/parsing/value-rule.ts';
import { inOrder } from '../../../../core/reach.ts';
import { invitationTimeRule, invitedScopes } from '../../../../core/waitlist/invitation.ts';
import { defaulting, optional, required } from '../../declaration/member.ts';

export const appScopesRule = scopesRule(scopes);
export const operatorScopesRule = scopesRule(operatorScopes);
export const invitedScopesRule: ValueRule<readonly OperatorScope[]> = scopesRule(invitedScopes);

const expiry = (says: string) => ({
  ...optional('--expires <instant>', says, instantRule),
  isLater: true,
  label: 'Expires',
  hint: 'In UTC. Empty: it never expires.',
});

const ofId = { label: 'Id', hint: 'Names the key in lists and in the log. It is no secret.' };

const newKey = {
  id: { ...optional('--id <id>', 'the id of the key, so that a repeat issues no other', identifierRule), ...ofId },
  expiresAt: expiry('when the key expires (default: never)'),
};

function scopesOf<Scope extends string>(known: readonly Scope[], rule: ValueRule<readonly Scope[]>) {
  const says = `what the key may be used for, repeatable (default: all): ${known.join(', ')}`;
  return {
    ...optional('--scope <scope>', says, rule),
    otherwise: known,
    each: oneOf(known),
    label: 'Scopes',
    hint: 'What the key may be used for.',
  };
}

/** The members of a new key. */
export const newAppKey = { ...newKey, scopes: scopesOf(scopes, appScopesRule) };
export const newOperatorKey = {
  ...newKey,
  name: {
    ...required('--name <name>', 'who or what uses the key, for people', displayNameRule),
    label: 'Name',
    hint: 'Who or what uses the key. Histories name it.',
  },
  products: {
    ...optional('--product <id>', 'limit the key to a product, repeatable (default: every product)', productsRule),
    each: identifierRule,
    gather: inOrder,
    docs: 'The products that the key is limited to: at most 20. Without them it reaches every product, and what belongs to none.',
    label: 'Products',
    hint: 'Ids, with spaces between them. The key reaches nothing else. Empty: every product, and what belongs to none.',
  },
  scopes: {
    ...scopesOf(operatorScopes, operatorScopesRule),
    otherwise: null,
    docs: 'Without them the key has all, without `admin:waitlist` if it is limited to products.',
  },
};

/** The members of an invitation of the waitlist, beside the address. */
export const invitation = {
  products: {
    ...required('--product <id>', 'a product that the key is limited to, repeatable', productsRule),
    each: identifierRule,
    gather: inOrder,
    label: 'Products',
    hint: 'Ids, with spaces between them. The key reaches nothing else.',
  },
  scopes: {
    ...optional(
      '--scope <scope>',
      `what the key may be used for, repeatable (default: all): ${invitedScopes.join(', ')}`,
      invitedScopesRule,
    ),
    each: oneOf<OperatorScope>(invitedScopes),
    docs: 'Without them the key has all of these.',
    label: 'Scopes',
    hint: 'What the key may be used for.',
  },
  expires: {
    ...optional('--expires <duration>', 'how long the link works, 1h to 30d (default: 7d)', invitationTimeRule),
    label: 'The link works for',
    hint: '1h to 30d. The key that is got by it has no end.',
  },
  mail: {
    ...optional('--mail', 'mail the link to the address', booleanRule),
    otherwise: false,
    standsFor: true,
    docs: 'Whether the link is mailed to the address.',
    label: 'Mail',
  },
};

/** The members of a rotation. */
export const rotation = {
  newId: { ...optional(null, '', identifierRule), ...ofId },
  overlap: {
    ...defaulting('--overlap <duration>', 'how long both keys work', durationRule, [defaultOverlap, '24h']),
    label: 'Overlap',
    hint: 'How long the old key still works: a whole number with s, m, h or d. 0s ends it at once.',
  },
  expiresAt: expiry('when the new key expires (default: never)'),
};

/** A rule for a list of scopes, each once in the answer however often it is given. */
function scopesRule<Scope extends string>(known: readonly Scope[]): ValueRule<readonly Scope[]> {
  const read = (member: unknown): readonly Scope[] | null => {
    if (!Array.isArray(member) || member.length === 0) return null;
    const given = new Set<unknown>(member);
    const found = known.filter((scope) => given.has(scope));
    return found.length === given.size ? found : null;
  };
  return { read, parse: () => null, rule: `must be an array of one or more of ${known.join(', ')}` };
}
