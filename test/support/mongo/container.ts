import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { StartedTestContainer } from 'testcontainers';
import type { Machine } from './machine.ts';

/** The image of the MongoDB that the tests start in a container. */
export const image = 'mongo:6.0';

/**
 * A container of Docker on the network of this machine. Where Docker runs in a virtual machine, these ports are published
 * on loopback instead: a program of Docker then passes each byte on, for a quarter of the CPU that MongoDB itself takes.
 */
export async function startContainer(ports: readonly number[]): Promise<Machine> {
  const onHost = process.platform === 'linux' ? await startSleeping(ports, 'host') : null;
  if (onHost !== null && (await isOnOurNetwork(onHost))) return machineIn(onHost, '127.0.0.1');
  if (onHost !== null) await remove(onHost);
  return machineIn(await startSleeping(ports, 'bridge'), '0.0.0.0');
}

function machineIn(container: StartedTestContainer, listensOn: Machine['listensOn']): Machine {
  return {
    listensOn,
    async run(command) {
      const { exitCode, output } = await container.exec(['sh', '-c', command]);
      if (exitCode !== 0) throw new Error(`${command}: ${output}`);
    },
    directoryOf: (port) => `/data/${port}`,
    remove: () => remove(container),
  };
}

async function remove(container: StartedTestContainer): Promise<void> {
  await container.stop({ timeout: 0, remove: false });
}

/** Whether a container sees the kernel and the network of this process, by the ids that both have in Linux. */
async function isOnOurNetwork(container: StartedTestContainer): Promise<boolean> {
  const [bootId, network] = ['/proc/sys/kernel/random/boot_id', '/proc/self/ns/net'];
  const ours = `${await readFile(bootId, 'utf8')}${await readlink(network)}`;
  const { output } = await container.exec(['sh', '-c', `cat ${bootId}; readlink ${network}`]);
  return output.trim() === ours;
}

/** Loads testcontainers here, so that a run without containers does not. */
async function startSleeping(ports: readonly number[], network: 'host' | 'bridge'): Promise<StartedTestContainer> {
  process.env['DOCKER_HOST'] ??= await contextHost();
  const { GenericContainer, Wait } = await import('testcontainers');

  /** Publishes on loopback instead of on every interface, and lets Docker remove the container when it ends. */
  class LoopbackContainer extends GenericContainer {
    protected override async beforeContainerCreated(): Promise<void> {
      const bindings = ports.map((port) => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: String(port) }]]);
      if (network === 'bridge') this.hostConfig.PortBindings = Object.fromEntries(bindings);
      this.hostConfig.AutoRemove = true;
    }
  }

  // Without automatic cleanup no image but MongoDB's is pulled: the reaper has an image of its own. A run that is killed
  // leaves a container behind that ends by itself after two hours, which is more than any run takes.
  return new LoopbackContainer(image)
    .withAutoCleanup(false)
    .withNetworkMode(network)
    .withCommand(['sleep', '7200'])
    .withExposedPorts(...(network === 'bridge' ? ports.map((port) => ({ container: port, host: port })) : []))
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
