import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lend } from '../support/lending/lender.ts';
import { idOf, isSampled, type Mutant } from './mutant.ts';
import { runStryker } from './stryker.ts';
import { targets, type Target } from './targets.ts';
import { judge, type Equivalent, type Verdict } from './verdict.ts';

/**
 * `npm run mutate [-- TARGET [PATTERN…]]`: tries every change of the files of a target, or of some of them, and fails if
 * the tests kill too few of them or if an entry of `equivalent.json` is stale.
 */
async function mutate(name = 'core', ...patterns: readonly string[]): Promise<number> {
  const target = targets[name];
  if (target === undefined) throw new Error(`The target must be one of ${Object.keys(targets).join(', ')}.`);
  const mutants = await tried(target, patterns.length === 0 ? target.sources : patterns);
  const verdict = judge(mutants, equivalents(), (file) => !existsSync(file));
  report(name, target, verdict);
  return verdict.stale.length > 0 || verdict.percent < (target.minKilled ?? 0) ? 1 : 0;
}

async function tried(target: Target, sources: readonly string[]): Promise<readonly Mutant[]> {
  const first = (await runStryker(target, sources, false)).filter((mutant) => isSampled(mutant, target.sample));
  const again = first.filter(({ isStatic, status }) => isStatic && status !== 'Killed' && status !== 'Timeout');
  if (!target.onImport || again.length === 0) return first;
  const second = await runStryker(target, [...new Set(again.map(rangeOf))], true);
  const results = new Map(second.map((mutant) => [idOf(mutant), mutant]));
  return first.map((mutant) => (again.includes(mutant) ? (results.get(idOf(mutant)) ?? mutant) : mutant));
}

function rangeOf({ file, start, end }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function equivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly Equivalent[];
}

function report(name: string, { sample, minKilled }: Target, verdict: Verdict): void {
  for (const { file, line, was, became, start, status } of verdict.alive) {
    console.log(`\nALIVE ${file}:${start.line}${status === 'NoCoverage' ? ', which no test runs' : ''}`);
    console.log(JSON.stringify({ file, line, was, became, why: '' }));
  }
  for (const entry of verdict.stale) console.log(`\nSTALE ${JSON.stringify(entry)}`);
  const { tried: total, killed, equivalent, alive, stale, percent } = verdict;
  const of = sample === 1 ? '' : ` of a sample of ${sample * 100} %`;
  const wanted = minKilled === null ? '' : `, at least ${minKilled} % wanted`;
  console.log(`\n${name}: ${total} mutants${of}, ${killed} killed, ${equivalent} equivalent, ${alive.length} alive`);
  console.log(
    `${percent.toFixed(1)} % of those that are not equivalent are killed${wanted}; ${stale.length} stale entries`,
  );
}

const lender = await lend();
try {
  process.exitCode = await mutate(...process.argv.slice(2));
} finally {
  await lender.end();
}
