import type { Call } from '../../../../core/call.ts';
import type { NewId } from '../../../../core/identifier.ts';
import type { IssuedKey, RevokeKey, RotateKey } from '../../../../core/key/change-keys.ts';
import { isUsable, type StoredKey } from '../../../../core/key/stored-key.ts';
import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import { html, type Html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { mono, type Crumb } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { fieldList, type FormState } from '../form/fields.ts';
import { formPage } from '../form/form-page.ts';
import { proposed, readForm, refusedField, typedIn } from '../form/form-reading.ts';
import { isStale, seenField, type Seen } from '../form/seen.ts';
import { changedSince } from '../frame/changed-meanwhile.ts';
import {
  goTo,
  shown,
  wrongForm,
  type ConsoleAnswer,
  type ConsoleRequest,
  type ConsoleRoute,
} from '../frame/console-page.ts';
import { rotationDefaults, rotationFields, rotationRules, tooEarly } from './key-forms.ts';

/** How keys of one kind are rotated and revoked. `Owner` is what a key belongs to. */
export interface KeyChangeParts<Key extends StoredKey, Owner> {
  /** Names the rows of the table: "AppKey". */
  readonly kind: string;
  /** "app key" */
  readonly noun: string;
  readonly path: (change: 'rotate' | 'revoke') => string;
  readonly pathOf: (key: Key, change: 'rotate' | 'revoke') => string;
  /** Refuses an unknown key. */
  readonly find: (id: string, call: Call) => Promise<Key>;
  /** Null for an unknown key. */
  readonly findNew: (id: string, call: Call) => Promise<Key | null>;
  readonly owner: (key: Key, call: Call) => Promise<Owner>;
  readonly crumbs: (owner: Owner) => readonly Crumb[];
  readonly back: (owner: Owner) => string;
  readonly facts: (key: Key, owner: Owner) => readonly (readonly [name: string, value: Html | string])[];
  /** Who loses access when the key ends. */
  readonly victims: (key: Key, owner: Owner, request: ConsoleRequest) => Html;
  readonly rotate: RotateKey<Key>;
  readonly revoke: RevokeKey<Key>;
  readonly ready: (owner: Owner, issued: IssuedKey<Key>, here: string) => ConsoleAnswer;
  readonly exists: RefusalCode;
  readonly ended: RefusalCode;
  readonly newId: NewId;
}

export function keyChanges<Key extends StoredKey, Owner>(parts: KeyChangeParts<Key, Owner>): readonly ConsoleRoute[] {
  return [...rotateRoutes(parts), ...revokeRoutes(parts)];
}

function rotateRoutes<Key extends StoredKey, Owner>(parts: KeyChangeParts<Key, Owner>): readonly ConsoleRoute[] {
  const { kind, path, back, find, findNew, owner, rotate, ready, exists, ended, newId, noun } = parts;
  const taken = { member: 'newId', problem: `is that of another ${noun}` };
  const refusals = { [exists]: taken, expiry_too_early: tooEarly };
  return [
    {
      id: `consoleRotate${kind}Form`,
      method: 'GET',
      path: path('rotate'),
      access: 'admin:access',
      handle: async ({ call, parameters: { id = '' }, view }) => {
        const key = await find(id, call);
        if (!isUsable(key, call.now)) throw new Refusal(ended);
        return shown(rotatePage(parts, view, key, await owner(key, call), proposed(rotationDefaults(newId()))));
      },
    },
    {
      id: `consoleRotate${kind}`,
      method: 'POST',
      path: path('rotate'),
      access: 'admin:access',
      handle: async ({ call, form, parameters: { id = '' }, view }) => {
        const key = await find(id, call);
        const of = await owner(key, call);
        const again = (mistakes: FormState['mistakes']): ConsoleAnswer =>
          wrongForm(rotatePage(parts, view, key, of, typedIn(form, mistakes)));
        const reading = readForm(rotationFields, rotationRules, ['newId', 'overlap'], form);
        if (reading.kind === 'wrong') return again(reading.mistakes);
        const { newId: next, overlap, expiresAt = null } = reading.values;
        const isRepeated = (await findNew(next, call)) !== null;
        const now = seenOf(key, call.now);
        if (!isRepeated && isStale(form, now)) {
          return changedSince(form, now, { intent: html`rotate ${mono(id)}.`, back: back(of) }, call);
        }
        try {
          return ready(of, await rotate({ id, newId: next, overlap, expiresAt }, call), 'Rotated');
        } catch (cause) {
          return again(refusedField(cause, refusals, rotationFields));
        }
      },
    },
  ];
}

function rotatePage<Key extends StoredKey, Owner>(
  { noun, pathOf, crumbs, back }: KeyChangeParts<Key, Owner>,
  view: PageView,
  key: Key,
  owner: Owner,
  state: FormState,
): PageContent {
  return formPage(view, {
    path: crumbs(owner),
    here: 'Rotate',
    title: `Rotate this ${noun}?`,
    text: html`A new key with the scopes of ${mono(key.id)} is issued and shown once. The old one ends after the
    overlap.`,
    action: pathOf(key, 'rotate'),
    fields: html`${seenField(seenOf(key, view.now))} ${fieldList(rotationFields, state)}`,
    button: `Rotate ${noun}`,
    back: { href: back(owner), text: 'Keep it' },
  });
}

function revokeRoutes<Key extends StoredKey, Owner>(parts: KeyChangeParts<Key, Owner>): readonly ConsoleRoute[] {
  const { kind, path, find, owner, revoke, back } = parts;
  return [
    {
      id: `consoleRevoke${kind}Form`,
      method: 'GET',
      path: path('revoke'),
      access: 'admin:access',
      handle: async (request) => {
        const { call, parameters } = request;
        const key = await find(parameters['id'] ?? '', call);
        return shown(revokePage(parts, request, key, await owner(key, call)));
      },
    },
    {
      id: `consoleRevoke${kind}`,
      method: 'POST',
      path: path('revoke'),
      access: 'admin:access',
      handle: async ({ call, form, parameters: { id = '' } }) => {
        const key = await find(id, call);
        const href = back(await owner(key, call));
        const now = seenOf(key, call.now);
        if (key.revokedAt === null && isStale(form, now)) {
          return changedSince(form, now, { intent: html`revoke ${mono(id)}.`, back: href }, call);
        }
        await revoke(id, call);
        return goTo(href, 'revoked');
      },
    },
  ];
}

function revokePage<Key extends StoredKey, Owner>(
  parts: KeyChangeParts<Key, Owner>,
  request: ConsoleRequest,
  key: Key,
  owner: Owner,
): PageContent {
  const { noun, pathOf, crumbs, back, facts, victims } = parts;
  const rotate = html`<a href="${pathOf(key, 'rotate')}">Rotate it</a>`;
  return confirmationPage(request.view, {
    path: crumbs(owner),
    here: 'Revoke',
    question: `Revoke this ${noun}?`,
    effects: {
      heading: 'This cannot be undone.',
      isFinal: true,
      list: [html`${victims(key, owner, request)} are refused from the next request on.`],
    },
    facts: facts(key, owner),
    milder: isUsable(key, request.call.now)
      ? html`Only want to replace it? ${rotate} instead: both keys work for as long as you choose.`
      : null,
    action: pathOf(key, 'revoke'),
    fields: seenField(seenOf(key, request.call.now)),
    button: `Revoke ${noun}`,
    back: { href: back(owner), text: 'Keep it' },
  });
}

function seenOf(key: StoredKey, now: Date): Seen {
  const state = key.revokedAt !== null ? 'Revoked' : isUsable(key, now) ? 'Works' : 'Expired';
  return { State: state, Expires: key.expiresAt?.toISOString() ?? 'Never' };
}
