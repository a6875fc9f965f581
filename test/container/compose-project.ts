import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const [program = 'docker', ...compose] = (process.env['COMPOSE'] ?? 'docker compose').split(' ');

/** The description of a container by Docker. */
export interface Container {
  readonly Id: string;
  readonly Path: string;
  readonly State: {
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly Health?: { readonly Status: string };
  };
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: { readonly ReadonlyRootfs: boolean };
}

/** The output of the commands of a container with `--json`. */
type Printed = Readonly<Record<string, unknown>>;

/** The containers of compose files, under names and on a port of their own. */
export class ComposeProject {
  readonly url: string;
  readonly consoleUrl: string;
  readonly #files: readonly string[];
  readonly #name: string;
  readonly #port: number;
  readonly #adminPort: number;

  private constructor(files: readonly string[], port: number, adminPort: number) {
    this.#files = files;
    this.#name = `latchkey-test-${port}`;
    this.#port = port;
    this.#adminPort = adminPort;
    this.url = `http://127.0.0.1:${port}`;
    this.consoleUrl = `http://127.0.0.1:${adminPort}/console`;
  }

  static async of(...files: readonly string[]): Promise<ComposeProject> {
    const [port = 0, adminPort = 0] = await freePorts(2);
    return new ComposeProject(files, port, adminPort);
  }

  /** Runs compose, and returns what it prints. */
  async compose(...args: readonly string[]): Promise<string> {
    const all = [...compose, ...this.#files.flatMap((file) => ['--file', file]), '--project-name', this.#name, ...args];
    const env = { ...process.env, PORT: String(this.#port), ADMIN_PORT: String(this.#adminPort) };
    const { stdout } = await run(program, all, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  /** Runs a command of Latchkey in a container. */
  async command(service: string, line: string): Promise<Printed> {
    const printed = await this.compose('exec', '-T', service, 'latchkey', ...line.split(' '), '--json');
    return JSON.parse(printed) as Printed;
  }

  async container(service: string): Promise<Container> {
    return inspect(await this.#id(service));
  }

  /** Kills a container as the loss of its process would, and leaves it stopped. */
  async kill(service: string): Promise<void> {
    const { Id } = await this.container(service);
    await run('docker', ['kill', '--signal', 'KILL', Id]);
  }

  /** Waits until the health check of a service has passed. */
  async healthy(service: string): Promise<void> {
    // Compose takes a second of CPU to say which container it is, so that it is asked once.
    const id = await this.#id(service);
    const status = async (): Promise<string | undefined> => (await inspect(id)).State.Health?.Status;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      if ((await eventually(status, (is) => is === 'healthy')) === 'healthy') return;
    }
    throw new Error(`${service} is not healthy: ${await this.compose('logs', '--tail', '50', service)}`);
  }

  /** Removes the containers and all that they have stored. */
  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '1');
  }

  async #id(service: string): Promise<string> {
    return (await this.compose('ps', '--all', '--quiet', service)).trim();
  }
}

async function inspect(id: string): Promise<Container> {
  const { stdout } = await run('docker', ['inspect', id]);
  const [container] = JSON.parse(stdout) as readonly Container[];
  if (container === undefined) throw new Error(`There is no container ${id}.`);
  return container;
}
