import { findGaps, type Gap } from './gaps.ts';
import { countTests, runMocha } from './mocha.ts';
import { readOptions, type Options } from './options.ts';

/**
 * `npm test`: runs the tests that this machine can run, and says before and after them how many it left out and which
 * command brings what they need. A run that requires what is missing fails before the first test.
 */
async function runTests(options: Options): Promise<number> {
  const gaps = await findGaps(options.without);
  const refused = gaps.filter(({ need }) => options.required.includes(need));
  for (const { what, bring } of refused)
    console.error(`MISSING: ${what}, which this run requires. To get it: ${bring}`);
  if (refused.length > 0) return 1;

  const report = gaps.length === 0 ? [] : await leftOut(gaps, options);
  for (const line of report) console.error(line);
  const status = await runMocha(argumentsFor(options, gaps), environmentOf(gaps));
  for (const line of report) console.error(line);
  return status;
}

/** One line about each gap that leaves tests out. */
async function leftOut(gaps: readonly Gap[], options: Options): Promise<readonly string[]> {
  const count = (some: readonly Gap[]): Promise<number> => countTests(argumentsFor(options, some), environmentOf(some));
  const [all, ...rest] = await Promise.all([count([]), ...gaps.map((gap) => count([gap]))]);
  return gaps.flatMap(({ need, what, bring }, index) => {
    const tests = all - (rest[index] ?? 0);
    const reason = options.without.includes(need) ? `--without ${need}` : `to run them: ${bring}`;
    return tests === 0 ? [] : [`LEFT OUT: ${tests} tests that need ${what} (${reason})`];
  });
}

function argumentsFor({ files, mocha }: Options, gaps: readonly Gap[]): readonly string[] {
  return [...gaps.flatMap((gap) => gap.files.map((file) => `--ignore=${file}`)), ...mocha, ...files];
}

function environmentOf(gaps: readonly Gap[]): NodeJS.ProcessEnv {
  return { TEST_WITHOUT: gaps.flatMap(({ need, everywhere }) => (everywhere ? [need] : [])).join(',') };
}

try {
  process.exitCode = await runTests(readOptions(process.argv.slice(2), isCi()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env['CI'] ?? '');
}
