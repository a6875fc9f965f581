import type { Command, Option } from 'commander';
import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call, NewCall } from '../../../../core/call.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { defaultOverlap, type IssuedKey, type KeyRotation, type RevokedKey } from '../../../../core/key/change-keys.ts';
import type { StoredKey } from '../../../../core/key/stored-key.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { mustBeLater, repeatableOption, valueOption } from '../../input/options.ts';
import { changeCommand } from '../../run/change-command.ts';
import { listResult, runCommand } from '../../run/run-command.ts';
import type { Shell } from '../../shell/shell.ts';
import { columnsOf, issuedResult, keyResult, viewOf, type KeyView } from './key-result.ts';

/** What every kind of key is issued with. */
interface IssueTerms {
  readonly id: string | null;
  readonly expiresAt: Date | null;
}

/** How the commands of one kind of key name, issue, list, rotate and revoke it. */
export interface KeyCommandSet<Key extends StoredKey, IssueOptions extends object> {
  /** The name of the group, which begins every command. */
  readonly group: string;
  /** The name of one key and of several, such as "an app key" and "app keys". */
  readonly one: string;
  readonly several: string;
  /** The member that only keys of this kind have. */
  readonly ownMember: keyof Key & string;
  /** The options of `issue` that only this kind has. */
  readonly issueOptions: () => readonly Option[];
  readonly issue: (
    store: Administration,
    options: IssueOptions,
    terms: IssueTerms,
    call: Call,
  ) => Promise<IssuedKey<Key>>;
  readonly every: (store: Administration, newCall: NewCall) => AsyncIterable<Key>;
  readonly revoke: (store: Administration, id: string, call: Call) => Promise<RevokedKey<Key>>;
  readonly rotate: (store: Administration, rotation: KeyRotation, call: Call) => Promise<IssuedKey<Key>>;
}

interface CommonIssueOptions {
  readonly id?: string;
  readonly expires?: Date;
}

interface RotateOptions {
  readonly overlap: number;
  readonly expires?: Date;
}

const keyById = { member: 'id', argument: '<id>', rule: identifierRule } as const;

/** Adds the commands `issue`, `list`, `revoke` and `rotate` of one kind of key. */
export function addKeyCommandSet<Key extends StoredKey, IssueOptions extends object>(
  set: KeyCommandSet<Key, IssueOptions>,
  group: Command,
  shell: Shell,
): void {
  addIssue(set, group, shell);
  addList(set, group, shell);
  addRevoke(set, group, shell);
  addRotate(set, group, shell);
}

function addIssue<Key extends StoredKey, IssueOptions extends object>(
  set: KeyCommandSet<Key, IssueOptions>,
  group: Command,
  shell: Shell,
): void {
  const command = group.command('issue').description(`issue ${set.one}, which is shown only once`);
  for (const option of set.issueOptions()) command.addOption(option);
  command
    .addOption(valueOption('--expires <instant>', 'when the key expires (default: never)', instantRule))
    .addOption(valueOption('--id <id>', 'the id of the key, so that a repeat issues no other', identifierRule));
  changeCommand<IssueOptions & CommonIssueOptions>(command, shell, {
    subject: null,
    request: (_subject, options, call) => {
      const { id = null, expires } = options;
      mustBeLater('expires', expires, call.now, 'now');
      const terms = { id, expiresAt: expires ?? null };
      return async (store) => issuedResult(set, await set.issue(store, options, terms, call));
    },
  });
}

function addList<Key extends StoredKey>(set: KeyCommandSet<Key, never>, group: Command, shell: Shell): void {
  group
    .command('list')
    .description(`list ${set.several}, without the keys themselves`)
    .action((_options: object, command: Command) => {
      const call = shell.newCall();
      return runCommand(shell, command, call, async (store) => {
        const keys = (await Array.fromAsync(set.every(store, shell.newCall))).map((key) => viewOf(set, key));
        return listResult<KeyView>(keys, columnsOf(set));
      });
    });
}

function addRevoke<Key extends StoredKey>(set: KeyCommandSet<Key, never>, group: Command, shell: Shell): void {
  changeCommand(group.command('revoke').description(`revoke ${set.one} at once`), shell, {
    subject: { ...keyById, description: 'the id of the key' },
    request: (id, _options, call) => async (store) => keyResult(set, (await set.revoke(store, id, call)).key),
  });
}

function addRotate<Key extends StoredKey>(set: KeyCommandSet<Key, never>, group: Command, shell: Shell): void {
  const command = group
    .command('rotate')
    .description('issue a new key to replace another, which expires after the overlap')
    .addOption(
      valueOption('--overlap <duration>', 'how long both keys work', durationRule).default(defaultOverlap, '24h'),
    )
    .addOption(valueOption('--expires <instant>', 'when the new key expires (default: never)', instantRule));
  changeCommand<RotateOptions>(command, shell, {
    subject: { ...keyById, description: 'the id of the old key' },
    request: (id, { overlap, expires }, call) => {
      mustBeLater('expires', expires, call.now, 'now');
      const rotation = { id, newId: null, overlap, expiresAt: expires ?? null };
      return async (store) => issuedResult(set, await set.rotate(store, rotation, call));
    },
  });
}

/** The option that limits what a key may be used for. */
export function scopeOption(scopes: readonly string[]): Option {
  return repeatableOption(
    '--scope <scope>',
    `what the key may be used for, repeatable (default: all): ${scopes.join(', ')}`,
    oneOf(scopes),
  );
}
