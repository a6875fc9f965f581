import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../docs/generate/repository.ts';

const run = promisify(execFile);

/**
 * The rights that systemd needs to be process 1 of a container: mounts, the processes of others, and control groups.
 */
const rights =
  '--cap-add SYS_ADMIN --cap-add SYS_PTRACE --security-opt seccomp=unconfined --security-opt apparmor=unconfined ' +
  '--cgroupns private --volume /sys/fs/cgroup:/sys/fs/cgroup:rw --tmpfs /run --tmpfs /run/lock --tmpfs /tmp ' +
  '--env container=docker';

/** The command of an operator, with the store of the unit. */
const latchkey = ['/opt/latchkey/bin/latchkey', '--store', 'sqlite:/var/lib/latchkey/latchkey.db', '--json'];

/** A machine with systemd on which the unit is enabled, as a container. */
export class SystemdMachine {
  readonly #id: string;

  private constructor(id: string) {
    this.#id = id;
  }

  static async start(): Promise<SystemdMachine> {
    const { stdout } = await run('docker', ['run', '--detach', ...rights.split(' '), 'latchkey-systemd']);
    return new SystemdMachine(stdout.trim());
  }

  /** Runs a command as root, and returns what it prints. */
  exec(...command: readonly string[]): Promise<string> {
    return this.#exec([], command);
  }

  /** Runs a command of Latchkey as the user of the service. */
  async command(line: string): Promise<Readonly<Record<string, unknown>>> {
    const printed = await this.#exec(['--user', 'latchkey'], [...latchkey, ...line.split(' ')]);
    return JSON.parse(printed) as Readonly<Record<string, unknown>>;
  }

  /** Verifies a license over HTTP. Returns what the answer says, or null for no answer. */
  async verify(licenseKey: string): Promise<unknown> {
    const script = `
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: process.argv[1] };
      const response = await fetch('http://127.0.0.1:3000/api/licenses/verify', init);
      console.log(await response.text());`;
    const body = JSON.stringify({ licenseKey });
    const printed = this.exec('node', '--input-type=module', '--eval', script, body);
    const answer = await printed.then(
      (text) => JSON.parse(text) as { readonly valid?: unknown },
      () => null,
    );
    return answer?.valid ?? null;
  }

  /** Copies the files of this checkout into a folder that exists, without its packages. */
  async copyCheckout(folder: string): Promise<void> {
    const script = 'git ls-files -z | tar --create --null --files-from - | docker cp --quiet - "$0"';
    await run('sh', ['-c', script, `${this.#id}:${folder}`], { cwd: root });
  }

  /** A property of the unit, such as `ActiveState`. */
  async property(name: string): Promise<string> {
    return (await this.exec('systemctl', 'show', '--property', name, '--value', 'latchkey')).trim();
  }

  async remove(): Promise<void> {
    await run('docker', ['rm', '--force', '--volumes', this.#id]);
  }

  async #exec(options: readonly string[], command: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', ['exec', ...options, this.#id, ...command]);
    return stdout;
  }
}
