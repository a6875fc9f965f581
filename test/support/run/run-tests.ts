import { availableParallelism, totalmem } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { findGaps, type Gap } from './gaps.ts';
import { longestFirst } from './longest-first.ts';
import { countTests, runMocha } from './mocha.ts';
import { readOptions, type Options } from './options.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const resolveSources = new URL('../processes/preloads/resolve-sources.js', import.meta.url).href;

/**
 * `npm test`: runs the tests that this machine can run, several files at once, and says before and after them how many it
 * left out and which command brings what they need. A run that requires what is missing fails before the first test.
 */
async function runTests(options: Options): Promise<number> {
  const gaps = await findGaps(options.without);
  const refused = gaps.filter(({ need }) => options.required.includes(need));
  for (const { what, bring } of refused)
    console.error(`MISSING: ${what}, which this run requires. To get it: ${bring}`);
  if (refused.length > 0) return 1;

  const report = gaps.length === 0 ? [] : await leftOut(gaps, options);
  for (const line of report) console.error(line);
  const folder = await makeTemporaryFolder();
  try {
    return await runMocha(argumentsFor(options, gaps), { ...environmentOf(options, gaps), ...folder.env });
  } finally {
    await folder.remove();
    for (const line of report) console.error(line);
  }
}

/** One line about each gap that leaves tests out. */
async function leftOut(gaps: readonly Gap[], options: Options): Promise<readonly string[]> {
  const count = (some: readonly Gap[]): Promise<ReadonlyMap<string, number>> =>
    countTests([...options.mocha, ...options.files], environmentOf(options, some));
  // One run after another, because the first leaves compiled modules to the others.
  const all = await count([]);
  const tests = await Promise.all(
    gaps.map(async (gap) => {
      const remaining = gap.everywhere ? await count([gap]) : all;
      const isIn = (file: string): boolean => gap.files.some((pattern) => matchesGlob(file, pattern));
      return sum([...all].map(([file, own]) => (isIn(file) ? own : own - (remaining.get(file) ?? 0))));
    }),
  );
  return gaps.flatMap(({ need, what, bring }, index) => {
    const reason = options.without.includes(need) ? `--without ${need}` : `to run them: ${bring}`;
    return tests[index] === 0 ? [] : [`LEFT OUT: ${tests[index]} tests that need ${what} (${reason})`];
  });
}

function argumentsFor({ files, mocha }: Options, gaps: readonly Gap[]): readonly string[] {
  const ignored = gaps.flatMap((gap) => gap.files.map((file) => `--ignore=${file}`));
  const parallel = files.length === 1 ? [] : ['--parallel', `--jobs=${jobs()}`];
  return [...ignored, ...parallel, ...mocha, ...longestFirst(files)];
}

/** Three for each core, because tests mostly wait for other processes, and at most one for each gigabyte. */
function jobs(): number {
  return Math.min(3 * availableParallelism(), Math.floor(totalmem() / 2 ** 30));
}

function environmentOf({ files, long }: Options, gaps: readonly Gap[]): NodeJS.ProcessEnv {
  return {
    TEST_WITHOUT: gaps.flatMap(({ need, everywhere }) => (everywhere ? [need] : [])).join(','),
    TEST_FILES: String(files.filter((file) => !isIgnored(file, gaps)).length),
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compiled'),
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${resolveSources}`.trimStart(),
    ...(long ? { TEST_LONG: '1' } : {}),
  };
}

function isIgnored(file: string, gaps: readonly Gap[]): boolean {
  return gaps.some((gap) => gap.files.some((pattern) => matchesGlob(file, pattern)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
