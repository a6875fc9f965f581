import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { seedStore } from '../data/seed-store.ts';
import { ask } from '../load/load.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { spreadOf } from '../measure/figures.ts';
import { part } from '../report/part.ts';
import { spread, table } from '../report/table.ts';
import { cpuOfEnded } from '../servers/process.ts';
import type { Site } from '../servers/site.ts';

/** The start of Node without a program, with which the commands are compared. */
const nodeAlone = 'node -e 0';

/** The aims: the CPU of a command, divided by that of Node alone, and milliseconds until the first answer. */
const aims = { command: 7, serve: 500 };

/** The CPU time of ended processes is counted in steps of 10 ms, hence several runs for each figure. */
const runsPerRound = 10;

/** Both cores, as users have them. The benchmark itself runs on one. */
const cores = '0,1';

const run = promisify(execFile);

/** The CPU of short commands, and the time until a server with 10,000 listings answers: a verification, and a page of them. */
export const commands = part({
  name: 'commands',
  about: 'CPU and time of each, median (min–max)',
  async measure(site, { effort }) {
    const store = site.sqlite('commands');
    const { verification, 'first page': firstPage } = publicWorkloads(await seedStore(store, 1000));
    const requests = [verification.request(0), firstPage.request(0)];
    const measured = [
      { name: nodeAlone, args: ['-e', '0'], cpu: [] as number[] },
      { name: 'latchkey --help', args: ['app/main.js', '--help'], cpu: [] },
      { name: 'latchkey product list', args: ['app/main.js', 'product', 'list', '--store', store], cpu: [] },
    ];
    const serve = { cpu: [] as number[], time: [] as number[], pageTime: [] as number[] };
    for (let round = 0; round <= effort.rounds; round += 1) {
      for (const { args, cpu } of measured) cpu.push(await cpuOfRuns(args, site));
      const answers = await firstAnswers(store, requests, site);
      const [time = NaN, pageTime = NaN] = answers.times;
      serve.cpu.push(answers.cpu);
      serve.time.push(time);
      serve.pageTime.push(pageTime);
    }
    // The first round fills the compile cache.
    return {
      commands: measured.map(({ name, cpu }) => ({ name, cpu: cpu.slice(1) })),
      serve: { cpu: serve.cpu.slice(1), time: serve.time.slice(1), pageTime: serve.pageTime.slice(1) },
    };
  },
  table: ({ commands: measured, serve }) => {
    const base = spreadOf(measured.find(({ name }) => name === nodeAlone)?.cpu ?? []).median;
    const rows = measured.map(({ name, cpu }) => {
      const isAlone = name === nodeAlone;
      const times = (spreadOf(cpu).median / base).toFixed(1);
      return {
        name,
        cpu,
        time: '',
        pageTime: '',
        times: isAlone ? '' : times,
        aim: isAlone ? '' : `≤ ${aims.command} times`,
      };
    });
    const { cpu } = serve;
    // Results that were kept before there was a second figure have none.
    const time = spread(serve.time, ' ms');
    const pageTime = serve.pageTime === undefined ? '' : spread(serve.pageTime, ' ms');
    const name = 'latchkey serve, 10,000 listings';
    return table(
      [...rows, { name, cpu, time, pageTime, times: '', aim: `≤ ${aims.serve} ms` }],
      [
        ['command', (row) => row.name],
        ['CPU', (row) => spread(row.cpu, ' ms')],
        [`times ${nodeAlone}`, ({ times }) => times],
        ['first answer after', (row) => row.time],
        ['first page of the catalog after', (row) => row.pageTime],
        ['aim', ({ aim }) => aim],
      ],
    );
  },
  length: ({ rounds }) => `; ${rounds} rounds`,
});

/** Runs a command several times, one after another; returns the milliseconds of CPU of one run. */
async function cpuOfRuns(args: readonly string[], { env }: Site): Promise<number> {
  const before = await cpuOfEnded();
  for (let time = 0; time < runsPerRound; time += 1)
    await run('taskset', ['-c', cores, process.execPath, ...args], { env });
  return ((await cpuOfEnded()) - before) / 1000 / runsPerRound;
}

/** Starts a server, sends these requests in turn and stops it; returns the milliseconds until each answer. */
async function firstAnswers(store: string, requests: readonly string[], site: Site) {
  const start = performance.now();
  const server = await site.latchkey(store, { cores });
  const times: number[] = [];
  for (const request of requests) {
    await ask(server.port, request);
    times.push(performance.now() - start);
  }
  const cpu = (await server.cpu()) / 1000;
  await server.stop();
  return { cpu, times };
}
