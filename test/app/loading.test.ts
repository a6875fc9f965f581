import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';

const preload = fileURLToPath(new URL('../support/processes/preloads/report-modules.ts', import.meta.url));

/** Ends a worker of a server before it loads anything: what it loads is no subject here. */
const endWorkers = "data:text/javascript,if (process.argv[1].endsWith('worker.js')) process.exit()";

/** Parts of the program that not every command needs, by a pattern of the URLs of their modules. */
const parts = {
  'HTTP adapter': /adapters\/http\/(server|operations|openapi)\//,
  inversify: /node_modules\/(@inversifyjs|inversify)\//,
  'JSON Schema': /node_modules\/ajv\//,
  log: /node_modules\/pino\//,
  'pretty log': /node_modules\/pino-pretty\//,
  metrics: /node_modules\/@prometheus-io\//,
  workers: /app\/workers\//,
  'node:http': /^NativeModule _http_server$/,
  'Web Crypto': /^NativeModule internal\/crypto\/webcrypto$/,
  fetch: /^NativeModule internal\/deps\/undici\/undici$/,
  mongodb: /node_modules\/(mongodb|bson)\//,
  sqlite: /node_modules\/better-sqlite3\//,
};

describe('what the program loads', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs a line until it ends, or until it serves; returns the names of the parts that it has loaded. */
  async function partsOf(line: string): Promise<readonly string[]> {
    const file = join(folder, 'modules');
    const child = startNode(['--import', endWorkers, '--import', preload, programPath, ...line.split(' ')], {
      env: { ...process.env, MODULES_FILE: file, STORE_URL: `sqlite:${join(folder, 'latchkey.db')}` },
    });
    createInterface({ input: child.stdout }).once('line', () => line.startsWith('serve') && child.kill('SIGTERM'));
    createInterface({ input: child.stderr }).on('line', (logged) => {
      if (logged.includes('a worker could not start')) child.kill('SIGTERM');
    });
    await once(child, 'close');
    const urls = (await readFile(file, 'utf8')).split('\n');
    return Object.entries(parts).flatMap(([name, pattern]) => (urls.some((url) => pattern.test(url)) ? [name] : []));
  }

  it('is the command line alone for help and settings', async () => {
    for (const line of ['--help', 'product list --help', '--version', 'config print']) {
      expect(await partsOf(line), line).to.deep.equal([]);
    }
  });

  it('is the driver of its store for a command, and the log where something changes', async () => {
    expect(await partsOf('product add --id p1 --name One')).to.deep.equal(['log', 'sqlite']);
    for (const line of ['entitlement list --json', 'store check']) {
      expect(await partsOf(line), line).to.deep.equal(['sqlite']);
    }
    const ofMongodb = await partsOf('product list --store mongodb://127.0.0.1:1/none');
    expect(ofMongodb).to.include('mongodb').and.not.to.include('sqlite');
  });

  it('is no driver for a server in memory, the metrics and the pretty log only if asked for, and workers only if there are several', async () => {
    const always = ['HTTP adapter', 'inversify', 'JSON Schema', 'log'];
    expect(await partsOf('serve --json --store memory: --port 0')).to.deep.equal([...always, 'node:http']);
    const asAsked = await partsOf('serve --json --port 0 --admin-port 0 --log-format pretty --workers 2');
    expect(asAsked).to.include.members([...always, 'pretty log', 'metrics', 'workers', 'sqlite']);
  });
});
