import type { Option } from 'commander';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { repeatableOption } from '../../input/options.ts';

/** The option that limits what a key may be used for. */
export function scopeOption(scopes: readonly string[]): Option {
  return repeatableOption(
    '--scope <scope>',
    `what the key may be used for, repeatable (default: all): ${scopes.join(', ')}`,
    oneOf(scopes),
  );
}
