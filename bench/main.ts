import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Effort } from './measure/rounds.ts';
import { operations, parts } from './parts/parts.ts';
import type { Options } from './report/part.ts';
import { keepResults, showResults } from './report/results.ts';
import { Site } from './servers/site.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    store: { type: 'string', default: '' },
    licenses: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '600' },
    draw: { type: 'boolean', default: false },
  },
});
// Servers end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const { quick, only, store, draw } = values;
const effort: Effort = quick
  ? { rounds: 3, seconds: 0.3, warmUpSeconds: 0.4, connections: 32 }
  : { rounds: 7, seconds: 1.2, warmUpSeconds: 2, connections: 32 };

/** The part that `--only` names. The name of anything else chooses operations of the two comparisons. */
const named = parts.filter(({ name }) => name === only);
const all = only === '' && store === '' ? parts.filter(({ isLong = false }) => !isLong) : operations;
const chosen = named.length > 0 ? named : all.filter(({ name }) => store === '' || name === store);

const options: Options = {
  effort,
  licenses: Number(values.licenses),
  soakSeconds: Number(values.seconds),
  only: named.length > 0 ? '' : only,
};

const measured = draw ? {} : await measureAll();
const isWhole = !quick && options.only === '' && values.licenses === '100000';
if (isWhole && !draw) {
  const machine = `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  await keepResults({ date: new Date().toISOString(), machine, effort }, measured);
}
if (isWhole || draw) await showResults(parts);

async function measureAll(): Promise<Readonly<Record<string, object>>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const figuresOf: Record<string, object> = {};
  try {
    for (const part of chosen) {
      await mkdir(join(folder, part.name));
      const site = new Site(join(folder, part.name));
      const figures = await part.measure(site, options);
      await site.stop();
      if (figures === null) {
        console.log(`${part.name} is left out: there is no mongod on the PATH.\n`);
        continue;
      }
      console.log(`${part.name}: ${part.about}\n${part.table(figures)}\n`);
      figuresOf[part.name] = figures;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return figuresOf;
}
