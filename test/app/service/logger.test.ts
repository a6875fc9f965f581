import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { bufferedDestination, loggerTo } from '../../../app/service/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { RawClient } from '../../support/http/raw-client.ts';
import { http } from '../../support/http/requests.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { withUtilities } from '../../support/processes/utilities.ts';
import { range } from '../../support/range.ts';
import { outputs } from '../../support/run/output-search.ts';
import { UnreadPipe } from './unread-pipe.ts';

interface LogLine {
  readonly message: string;
  readonly status?: number;
  readonly number?: number;
  readonly lines?: number;
}

interface StartedService {
  readonly child: ChildProcess;
  /** Its standard error, where that is a pipe. */
  readonly log: Readable;
  readonly address: string;
}

describe('the log of a service', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  it('drops lines that nobody reads, without blocking, and logs their number', async () => {
    const pipe = join(folder, 'log');
    execFileSync('mkfifo', [pipe], { env: withUtilities(process.env) });
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const destination = bufferedDestination(fd, 200_000);
    const log = loggerTo(destination);
    for (const number of range(5000)) log.info({ number }, 'unread');
    const reader = spawn('cat', [pipe], { env: withUtilities(process.env), stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(reader);
    const read: LogLine[] = [];
    for await (const line of createInterface({ input: reader.stdout })) {
      const parsed = JSON.parse(line) as LogLine;
      read.push(parsed);
      if (parsed.lines !== undefined) log.info('the end');
      if (parsed.message === 'the end') break;
    }
    await destination.end();
    const kept = read.flatMap(({ number }) => (number === undefined ? [] : [number]));
    const dropped = read.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
    expect(kept).to.deep.equal(range(kept.length));
    expect(kept.length).to.be.within(1000, 4000);
    expect(dropped).to.deep.equal([5000 - kept.length]);
  });

  it('keeps lines that cannot be written until they can, and logs the number of those that it drops', async () => {
    const path = join(folder, 'log');
    await writeFile(path, '');
    const fd = openSync(path, 'r'); // Every write fails, as on a full disk.
    const destination = bufferedDestination(fd, 200_000);
    const log = loggerTo(destination);
    for (const number of range(5000)) log.info({ number }, 'unwritten');
    closeSync(fd);
    expect(openSync(path, 'a'), 'the same number').to.equal(fd);
    const read = async (): Promise<readonly LogLine[]> =>
      (await readFile(path, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LogLine);
    const written = await eventually(read, (all) => all.some(({ lines }) => lines !== undefined));
    const kept = written.flatMap(({ number }) => (number === undefined ? [] : [number]));
    expect(kept).to.deep.equal(range(kept.length));
    expect(written.flatMap(({ lines }) => lines ?? [])).to.deep.equal([5000 - kept.length]);
    await destination.end();
  });

  it('lets the process end although it cannot be written', async () => {
    const path = join(folder, 'log');
    await writeFile(path, '');
    const fd = openSync(path, 'r');
    const writer = new URL('./write-log.ts', import.meta.url).pathname;
    const args = [writer, 'a', '5'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', fd] });
    outputs.watch(child, args);
    children.push(child);
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    closeSync(fd);
  });

  it('has the lines of its level and above', () => {
    const written: string[] = [];
    const log = loggerTo({ write: (line) => void written.push((JSON.parse(line) as LogLine).message) }, 'warn');
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](level);
    expect(written).to.deep.equal(['warn', 'error', 'fatal']);
  });

  it('does not block a service if nobody reads it, and is complete when it is read after the service has stopped', async () => {
    const { child, log, address } = await startService();
    const ended = once(child, 'exit');
    const requests = 1000;
    await askWhetherAlive(address, requests);
    child.kill('SIGTERM');
    const messages = await messagesIn(log);
    expect(await ended).to.deep.equal([0, null]);
    expect(messages.filter((message) => message === 'request')).to.have.length(requests);
    expect(messages.at(-1)).to.equal('stopped');
  });

  it('does not block a process if nobody reads it, and is complete when it is read after a fault', async () => {
    const child = await startUntilFault(1000);
    const ended = once(child, 'exit');
    child.kill('SIGUSR2');
    const messages = await messagesIn(child.stderr as Readable);
    expect(await ended).to.deep.equal([1, null]);
    const last = 'the process ends because of a fault';
    expect(messages).to.deep.equal([...range(1000).map(() => 'line'), last]);
  });

  it('lets a process end by a fault, even if its reader has stalled for good', async () => {
    const pipe = new UnreadPipe(join(folder, 'log'));
    const child = await startUntilFault(0, pipe.fd);
    pipe.fill();
    const ended = once(child, 'exit');
    child.kill('SIGUSR2');
    expect(await ended).to.deep.equal([null, 'SIGKILL']);
    pipe.close();
  });

  it('lets a service end that gets a second signal, even if its reader has stalled for good', async () => {
    const pipe = new UnreadPipe(join(folder, 'log'));
    const { child, address } = await startService(pipe.fd);
    pipe.fill();
    child.kill('SIGTERM');
    const stopped = (): Promise<boolean> =>
      fetch(`${address}/livez`).then(
        () => false,
        () => true,
      );
    expect(await eventually(stopped, Boolean)).to.equal(true);
    const endedBy = await eventually(
      async () => {
        // npm and terminals pass a signal on twice, so that the second one counts only after a while.
        child.kill('SIGTERM');
        return child.signalCode;
      },
      (ended) => ended !== null,
    );
    expect(endedBy).to.equal('SIGKILL');
    pipe.close();
  });

  it('keeps the exit code of a fault if its reader is gone', async () => {
    const child = await startUntilFault(1000, 'pipe', (log) => log.destroy());
    const ended = once(child, 'exit');
    child.kill('SIGUSR2');
    expect(await ended).to.deep.equal([1, null]);
  });

  /**
   * Starts a process that has a fault on SIGUSR2, and waits until it has logged `lines` lines. Nothing reads its log.
   */
  async function startUntilFault(
    lines: number,
    stderr: 'pipe' | number = 'pipe',
    atStart: (log: Readable) => unknown = () => undefined,
  ): Promise<ChildProcess> {
    const program = new URL('./run-until-fault.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [program, String(lines)], { stdio: ['ignore', 'pipe', stderr] });
    children.push(child);
    outputs.leave(child);
    if (child.stderr !== null) atStart(child.stderr);
    await once(child.stdout as Readable, 'data');
    return child;
  }

  /** Starts a service. Nothing reads its log but the test. */
  async function startService(stderr: 'pipe' | number = 'pipe'): Promise<StartedService> {
    const args = [programPath, 'serve', '--store', 'memory:', '--port', '0', '--json'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
    children.push(child);
    outputs.leave(child);
    const [line] = (await once(createInterface({ input: child.stdout as Readable }), 'line')) as [string];
    const { address }: { readonly address: string } = JSON.parse(line);
    return { child, log: child.stderr as Readable, address };
  }
});

/** The message of each line of a log that was not read until now. */
async function messagesIn(log: Readable): Promise<readonly string[]> {
  const written = (await text(log)).trimEnd();
  outputs.log('a log that was not read', written);
  return written.split('\n').map((line) => (JSON.parse(line) as LogLine).message);
}

/** Sends a hundred requests at once on each connection, and expects that each is answered. */
async function askWhetherAlive(address: string, requests: number): Promise<void> {
  for (let asked = 0; asked < requests; asked += 100) {
    const client = new RawClient(address);
    client.send(http('GET /livez').repeat(100));
    for (const _ of range(100)) expect((await client.read('GET')).status).to.equal(200);
    client.close();
  }
}
