import type { Command } from 'commander';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { IssuedKey } from '../../../core/key/issue-key.ts';
import { scopes, type Scope } from '../../../core/access/scope.ts';
import { defaultOverlap } from '../../../core/key/rotate-key.ts';
import { runCommand } from '../run/run-command.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { mustBeLater, repeatableOption, requiredOption, valueOption } from '../input/options.ts';
import type { ChangeResult } from '../run/change-request.ts';
import { changeCommand } from '../run/change-command.ts';
import type { Shell } from '../shell/shell.ts';
import { details, table } from '../output/table.ts';

interface IssueOptions {
  readonly product: string;
  readonly scope?: readonly Scope[];
  readonly expires?: Date;
}

interface RotateOptions {
  readonly overlap: number;
  readonly expires?: Date;
}

const keyById = { member: 'id', argument: '<id>', rule: identifierRule } as const;

export function addKeyCommands(group: Command, shell: Shell): void {
  addIssue(group, shell);
  addList(group, shell);
  addRevoke(group, shell);
  addRotate(group, shell);
}

function addIssue(group: Command, shell: Shell): void {
  const command = group
    .command('issue')
    .description('issue an app key, which is shown only once')
    .addOption(requiredOption('--product <id>', 'the product that the key belongs to', identifierRule))
    .addOption(
      repeatableOption(
        '--scope <scope>',
        `what the key may be used for, repeatable (default: all): ${scopes.join(', ')}`,
        oneOf(scopes),
      ),
    )
    .addOption(valueOption('--expires <instant>', 'when the key expires (default: never)', instantRule));
  changeCommand<IssueOptions>(command, shell, {
    subject: null,
    request: (_subject, { product, scope = scopes, expires }, call) => {
      mustBeLater('expires', expires, call.now, 'now');
      const issue = { id: null, productId: product, scopes: scope, expiresAt: expires ?? null };
      return async (store) => issuedOutcome('key issue', await store.issueAppKey(issue, call));
    },
  });
}

function addList(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list app keys, without the keys themselves')
    .action((_options: object, command: Command) => {
      const call = shell.newCall();
      return runCommand(shell, command, call, async (store) => {
        const keys = (await Array.fromAsync(store.everyAppKey(shell.newCall))).map(withoutDigest);
        return { json: { items: keys }, text: (width) => table(keys, members, width), logged: null };
      });
    });
}

function addRevoke(group: Command, shell: Shell): void {
  changeCommand(group.command('revoke').description('revoke an app key at once'), shell, {
    subject: { ...keyById, description: 'the id of the key' },
    request: (id, _options, call) => async (store) => {
      const { key, changed } = await store.revokeAppKey(id, call);
      const view = withoutDigest(key);
      return {
        json: { value: view },
        text: () => details(view, members),
        logged: changed ? { command: 'key revoke', appKeyId: id } : null,
      };
    },
  });
}

function addRotate(group: Command, shell: Shell): void {
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
      return async (store) => issuedOutcome('key rotate', await store.rotateAppKey(rotation, call));
    },
  });
}

const members = [
  'id',
  'productId',
  'lastFour',
  'scopes',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
] as const satisfies readonly (keyof AppKey)[];

function withoutDigest(key: AppKey): Omit<AppKey, 'digest'> {
  const { id, productId, lastFour, scopes: allowed, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return { id, productId, lastFour, scopes: allowed, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function issuedOutcome(command: string, { issued, key }: IssuedKey<AppKey>): ChangeResult {
  const { id, productId, scopes: allowed, expiresAt } = issued;
  const value = { id, key, productId, scopes: allowed, expiresAt };
  return {
    json: { value },
    text: () =>
      `${details(value, ['id', 'key', 'productId', 'scopes', 'expiresAt'])}\nThe key is shown only this once.\n`,
    logged: { command, appKeyId: id },
  };
}
