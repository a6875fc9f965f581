import { identifierRule } from '../../../../core/identifier.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { day, durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { html, type Html } from '../../markup/html.ts';
import { checkFields, textField, type FormState } from '../display/fields.ts';

/** The fields of every new key. */
export const newKeyRules = { id: identifierRule, expiresAt: instantRule };

/** The fields of a rotation. */
export const rotationRules = { newId: identifierRule, overlap: durationRule, expiresAt: instantRule };

/** What a rotation proposes: a new id each time, so that a form that is sent twice makes one key. */
export function rotationDefaults(newId: string): Readonly<Record<string, string>> {
  return { newId, overlap: `${defaultOverlap / day}d` };
}

export function newKeyFields(state: FormState, scopes: readonly string[]): Html {
  return html`${checkFields(
    state,
    { name: 'scopes', label: 'Scopes', hint: 'What the key may be used for.' },
    scopes.map((scope) => [scope, scope] as const),
  )}
  ${idField(state, 'id')} ${expiryField(state)}`;
}

export function rotationFields(state: FormState): Html {
  const hint = 'How long the old key still works: a whole number with s, m, h or d. 0s ends it at once.';
  return html`${textField(state, { name: 'overlap', label: 'Overlap', hint }, html` required autocomplete="off"`)}
  ${idField(state, 'newId')} ${expiryField(state)}`;
}

function idField(state: FormState, name: 'id' | 'newId'): Html {
  const hint = 'Names the key in lists and in the log. It is no secret.';
  return textField(
    state,
    { name, label: 'Id', hint },
    html` class="mono" required autocomplete="off" spellcheck="false"`,
  );
}

function expiryField(state: FormState): Html {
  const hint = html`An instant such as <span class="mono">2027-01-01T00:00:00Z</span>. Empty: it never expires.`;
  return textField(state, { name: 'expiresAt', label: 'Expires', hint }, html` autocomplete="off"`);
}
