import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StartedTestContainer } from 'testcontainers';
import type { Machine } from './machine.ts';

/** The image of the MongoDB that the tests start in a container. */
export const image = 'mongo:6.0';

/** A container of Docker that publishes these ports on loopback. */
export async function startContainer(ports: readonly number[]): Promise<Machine> {
  const container = await startSleeping(ports);
  return {
    async run(command) {
      const { exitCode, output } = await container.exec(['sh', '-c', command]);
      if (exitCode !== 0) throw new Error(`${command}: ${output}`);
    },
    directoryOf: (port) => `/data/${port}`,
    async remove() {
      await container.stop({ timeout: 0, remove: false });
    },
  };
}

/** Loads testcontainers here, so that a run without containers does not. */
async function startSleeping(ports: readonly number[]): Promise<StartedTestContainer> {
  process.env['DOCKER_HOST'] ??= await contextHost();
  const { GenericContainer, Wait } = await import('testcontainers');

  /** Publishes on loopback instead of on every interface, and lets Docker remove the container when it ends. */
  class LoopbackContainer extends GenericContainer {
    protected override async beforeContainerCreated(): Promise<void> {
      const bindings = ports.map((port) => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: String(port) }]]);
      this.hostConfig.PortBindings = Object.fromEntries(bindings);
      this.hostConfig.AutoRemove = true;
    }
  }

  // Without automatic cleanup no image but MongoDB's is pulled: the reaper has an image of its own. A run that is killed
  // leaves a container behind that ends by itself after two hours, which is more than any run takes.
  return new LoopbackContainer(image)
    .withAutoCleanup(false)
    .withCommand(['sleep', '7200'])
    .withExposedPorts(...ports.map((port) => ({ container: port, host: port })))
    .withTmpFs(Object.fromEntries(ports.map((port) => [`/data/${port}`, 'rw'])))
    .withWaitStrategy(Wait.forSuccessfulCommand('true'))
    .start();
}

/** The engine of Docker's current context, which testcontainers does not look up. */
async function contextHost(): Promise<string> {
  const format = '{{.Endpoints.docker.Host}}';
  const { stdout } = await promisify(execFile)('docker', ['context', 'inspect', '--format', format]);
  return stdout.trim();
}
