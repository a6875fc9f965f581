import type { Command } from 'commander';
import { operatorScopes, type OperatorKey, type OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import { displayNameRule } from '../../../../core/parsing/value-rule.ts';
import { requiredOption } from '../../input/options.ts';
import type { Shell } from '../../shell/shell.ts';
import { addKeyCommandSet, scopeOption, type KeyCommandSet } from './key-command-set.ts';

interface IssueOptions {
  readonly name: string;
  readonly scope?: readonly OperatorScope[];
}

const operatorKeys: KeyCommandSet<OperatorKey, IssueOptions> = {
  group: 'operator',
  one: 'an operator key',
  several: 'operator keys',
  ownMember: 'name',
  issueOptions: () => [
    requiredOption('--name <name>', 'who or what uses the key, for people', displayNameRule),
    scopeOption(operatorScopes),
  ],
  issue: (store, { name, scope = operatorScopes }, terms, call) =>
    store.issueOperatorKey({ ...terms, name, scopes: scope }, call),
  every: (store, newCall) => store.everyOperatorKey(newCall),
  revoke: (store, id, call) => store.revokeOperatorKey(id, call),
  rotate: (store, rotation, call) => store.rotateOperatorKey(rotation, call),
};

export function addOperatorCommands(group: Command, shell: Shell): void {
  addKeyCommandSet(operatorKeys, group, shell);
}
