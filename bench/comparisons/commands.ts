import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { seedStore, type Data } from '../data/seed-store.ts';
import { ask } from '../load/load.ts';
import { catalogWorkloads } from '../load/workloads.ts';
import { cpuOf, cpuOfChildren } from '../processes/cpu-meter.ts';
import type { Effort } from './rounds.ts';

/** How `--only` names this measurement. */
export const commandsName = 'commands';

/** The aim of a command: its CPU, divided by that of `node -e 0`. */
export const commandAim = 7;

/** The aim of `serve`: milliseconds until its first answer. */
export const serveAim = 500;

/** The cost of starting the program, in milliseconds, with one figure for each round. */
export interface CommandsResults {
  readonly commands: readonly CommandCost[];
  readonly serve: ServeCost;
}

interface CommandCost {
  readonly name: string;
  readonly cpu: readonly number[];
}

/** What a server with 10,000 listings takes until its first answer. */
interface ServeCost {
  readonly cpu: readonly number[];
  readonly time: readonly number[];
}

/** The start of Node without a program, with which the commands are compared. */
export const nodeAlone = 'node -e 0';

const program = 'app/main.js';
const licenses = 1000;

/** The CPU time of ended processes is counted in steps of 10 ms, hence several runs for each figure. */
const runsPerRound = 10;

/** Both cores, as users have them. The benchmark itself runs on one. */
const onBothCores = ['-c', '0,1', process.execPath];

const run = promisify(execFile);

/** Measures the CPU of short commands and the time until a server answers. A round that fills the compile cache comes first. */
export async function measureCommands(folder: string, { rounds }: Pick<Effort, 'rounds'>): Promise<CommandsResults> {
  const store = `sqlite:${join(folder, 'commands.db')}`;
  const request = firstPageOf(await seedStore(store, licenses));
  const env = { ...process.env, XDG_CACHE_HOME: folder };
  const commands = [
    { name: nodeAlone, args: ['-e', '0'] },
    { name: 'latchkey --help', args: [program, '--help'] },
    { name: 'latchkey product list', args: [program, 'product', 'list', '--store', store] },
  ].map((command) => ({ ...command, cpu: [] as number[] }));
  const serve = { cpu: [] as number[], time: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const { args, cpu } of commands) cpu.push(await cpuOfRuns(args, env));
    const answer = await firstAnswer(store, request, env);
    serve.cpu.push(answer.cpu);
    serve.time.push(answer.time);
  }
  return {
    commands: commands.map(({ name, cpu }) => ({ name, cpu: cpu.slice(1) })),
    serve: { cpu: serve.cpu.slice(1), time: serve.time.slice(1) },
  };
}

function firstPageOf(data: Data): string {
  const workload = catalogWorkloads(data).find(({ name }) => name === 'first page');
  if (workload === undefined) throw new Error('there is no workload of the first page');
  return workload.request(0);
}

/** Runs a command several times, one after another; returns the milliseconds of CPU of one run. */
async function cpuOfRuns(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const before = await cpuOfChildren();
  for (let time = 0; time < runsPerRound; time += 1) await run('taskset', [...onBothCores, ...args], { env });
  return ((await cpuOfChildren()) - before) / 1000 / runsPerRound;
}

/** Starts a server, waits for its first answer and stops it; returns the milliseconds until that answer. */
async function firstAnswer(
  store: string,
  request: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly cpu: number; readonly time: number }> {
  const start = performance.now();
  const args = [...onBothCores, program, 'serve', '--store', store, '--port', '0', '--json'];
  const child = spawn('taskset', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { address }: { readonly address: string } = JSON.parse(String(line));
  await ask(Number(new URL(address).port), request, 200);
  const time = performance.now() - start;
  const cpu = (await cpuOf(child)) / 1000;
  child.kill('SIGTERM');
  await ended;
  return { cpu, time };
}
