// Searches every expression that runs while a request is answered for one whose cost grows faster than its text: check.ts FOLDER,
// where recheck is installed in FOLDER.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import { recordExpressions } from './recorded-expressions.ts';

interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly type: string; readonly summary: string };
  readonly attack?: { readonly pattern: string; readonly string: string };
}
interface Recheck {
  checkSync(source: string, flags: string, options: { readonly timeout: number }): Diagnostics;
}

const [folder = '.'] = process.argv.slice(2);
const recheck: Recheck = createRequire(join(resolve(folder), 'package.json'))('recheck');

const expressions = await recordExpressions();
warmLinearPass();
const found = expressions.flatMap(({ source, flags }) => {
  const diagnostics = recheck.checkSync(source, flags, { timeout: 60_000 });
  const { status, complexity, attack } = diagnostics;
  return status === 'safe' || isRefuted(new RegExp(source, flags), diagnostics)
    ? []
    : [`/${source}/${flags}: ${status} ${complexity?.summary ?? ''} ${attack?.pattern ?? ''}`];
});
for (const line of found) console.error(line);
console.log(`${expressions.length} regular expressions checked, ${found.length} not safe`);
process.exitCode = found.length === 0 ? 0 : 1;

/**
 * Whether V8 answers the attack, of some 50,000 characters or more, as fast as text that is read once. The search of recheck
 * is random, and its own matcher goes back for each look-behind. A cost that grows with the square takes hundreds of passes.
 */
function isRefuted(expression: RegExp, { complexity, attack }: Diagnostics): boolean {
  if (complexity?.type !== 'polynomial' || attack === undefined || attack.string.length < 50_000) return false;
  const before = process.threadCpuUsage();
  attack.string.replace(expression, '');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 < 20 * linearPass();
}
