import type { Call } from '../../../../core/call.ts';
import type { NewId } from '../../../../core/identifier.ts';
import type { IssuedKey, RevokeKey, RotateKey } from '../../../../core/key/change-keys.ts';
import { isUsable, type StoredKey } from '../../../../core/key/stored-key.ts';
import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono, type Crumb } from '../display/parts.ts';
import type { Seen } from '../form/seen.ts';
import type { ConsoleAnswer, ConsoleRequest, ConsoleRoute } from '../frame/console-page.ts';
import { decisionRoutes, type DecidedOn } from '../frame/decision-routes.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { rotationDefaults, rotationMembers, tooEarly } from './key-forms.ts';

const access = 'admin:access';

/** The parts of rotations and revocations of one kind of key. `Owner` is the object that a key belongs to. */
export interface KeyChangeParts<Key extends StoredKey, Owner> {
  /** Names the rows of the table: "AppKey". */
  readonly kind: string;
  /** "app key" */
  readonly noun: string;
  readonly path: (id: string, change: 'rotate' | 'revoke') => string;
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

/** A key with its owner. */
interface OwnedKey<Key, Owner> {
  readonly key: Key;
  readonly owner: Owner;
}

async function ownedKey<Key extends StoredKey, Owner>(
  { find, owner }: KeyChangeParts<Key, Owner>,
  { call, parameters: { id = '' } }: ConsoleRequest,
): Promise<OwnedKey<Key, Owner>> {
  const key = await find(id, call);
  return { key, owner: await owner(key, call) };
}

function rotateRoutes<Key extends StoredKey, Owner>(parts: KeyChangeParts<Key, Owner>): readonly ConsoleRoute[] {
  const { findNew, rotate, ready, exists, ended, newId, noun, kind, path, crumbs, back } = parts;
  return formRoutes({
    name: `Rotate${kind}`,
    path: path(':id', 'rotate'),
    access,
    find: (request) => ownedKey(parts, request),
    asks: ({ key, owner }, { call }) => {
      if (!isUsable(key, call.now)) throw new Refusal(ended);
      return {
        path: crumbs(owner),
        here: 'Rotate',
        title: `Rotate this ${noun}?`,
        text: html`A new key with the scopes of ${mono(key.id)} is issued and shown once. The old one ends after the
        overlap.`,
        button: `Rotate ${noun}`,
      };
    },
    back: ({ owner }) => ({ href: back(owner), text: 'Keep it' }),
    seen: ({ key }, { now }) => ({ now: seenOf(key, now), intent: html`rotate ${mono(key.id)}.` }),
    proposes: () => rotationDefaults(newId()),
    members: rotationMembers,
    refusals: {
      [exists]: { member: 'newId', problem: `is that of another ${noun}` },
      expiry_too_early: tooEarly,
    },
    isDone: async (values, _found, call) => (await findNew(values.newId, call)) !== null,
    act: async ({ expiresAt = null, ...rotation }, { key, owner }, { call }) =>
      ready(owner, await rotate({ id: key.id, ...rotation, expiresAt }, call), 'Rotated'),
  });
}

function revokeRoutes<Key extends StoredKey, Owner>(parts: KeyChangeParts<Key, Owner>): readonly ConsoleRoute[] {
  const { noun, kind, path, crumbs, back, facts, victims, revoke } = parts;
  const on: DecidedOn<OwnedKey<Key, Owner>> = {
    noun,
    kind,
    access,
    path: () => path(':id', 'revoke'),
    find: (request) => ownedKey(parts, request),
    crumbs: ({ owner }) => crumbs(owner),
    facts: ({ key, owner }) => facts(key, owner),
    seen: ({ key }, now) => seenOf(key, now),
    intent: ({ key }, verb) => html`${verb} ${mono(key.id)}.`,
    back: ({ owner }) => back(owner),
  };
  return decisionRoutes(on, [
    {
      name: 'revoke',
      done: 'revoked',
      verb: 'Revoke',
      isFinal: true,
      heading: 'This cannot be undone.',
      effects: ({ key, owner }, request) => [
        html`${victims(key, owner, request)} are refused from the next request on.`,
      ],
      milder: ({ key }, now) =>
        isUsable(key, now)
          ? html`Only want to replace it? <a href="${path(key.id, 'rotate')}">Rotate it</a> instead: both keys work for
              as long as you choose.`
          : null,
      isDone: ({ key }) => key.revokedAt !== null,
      run: ({ key }, call) => revoke(key.id, call),
    },
  ]);
}

function seenOf(key: StoredKey, now: Date): Seen {
  const state = key.revokedAt !== null ? 'Revoked' : isUsable(key, now) ? 'Works' : 'Expired';
  return { State: state, Expires: key.expiresAt?.toISOString() ?? 'Never' };
}
