import type { Command } from 'commander';
import { identifierRule } from '../../../../core/identifier.ts';
import { scopes, type AppKey, type Scope } from '../../../../core/key/app/app-key.ts';
import { requiredOption } from '../../input/options.ts';
import type { Shell } from '../../shell/shell.ts';
import { addKeyCommandSet, scopeOption, type KeyCommandSet } from './key-command-set.ts';

interface IssueOptions {
  readonly product: string;
  readonly scope?: readonly Scope[];
}

const appKeys: KeyCommandSet<AppKey, IssueOptions> = {
  group: 'key',
  one: 'an app key',
  several: 'app keys',
  ownMember: 'productId',
  issueOptions: () => [
    requiredOption('--product <id>', 'the product that the key belongs to', identifierRule),
    scopeOption(scopes),
  ],
  issue: (store, { product, scope = scopes }, terms, call) =>
    store.issueAppKey({ ...terms, productId: product, scopes: scope }, call),
  every: (store, newCall) => store.everyAppKey(newCall),
  revoke: (store, id, call) => store.revokeAppKey(id, call),
  rotate: (store, rotation, call) => store.rotateAppKey(rotation, call),
};

export function addKeyCommands(group: Command, shell: Shell): void {
  addKeyCommandSet(appKeys, group, shell);
}
