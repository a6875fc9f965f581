// Searches every expression that runs while a request is answered for one whose cost grows faster than its text: check.ts FOLDER,
// where recheck is installed in FOLDER.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { recordExpressions } from './recorded-expressions.ts';

interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
}
interface Recheck {
  checkSync(source: string, flags: string, options: { readonly timeout: number }): Diagnostics;
}

const [folder = '.'] = process.argv.slice(2);
const recheck: Recheck = createRequire(join(resolve(folder), 'package.json'))('recheck');

const expressions = await recordExpressions();
const found = expressions.flatMap(({ source, flags }) => {
  const { status, complexity, attack } = recheck.checkSync(source, flags, { timeout: 60_000 });
  return status === 'safe'
    ? []
    : [`/${source}/${flags}: ${status} ${complexity?.summary ?? ''} ${attack?.pattern ?? ''}`];
});
for (const line of found) console.error(line);
console.log(`${expressions.length} regular expressions checked, ${found.length} not safe`);
process.exitCode = found.length === 0 ? 0 : 1;
