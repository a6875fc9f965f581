import {
  pathNameOf,
  type Command,
  type DeclaredOperation,
} from '../../../adapters/administration/declaration/command.ts';
import { declaredGroups } from '../../../adapters/administration/groups.ts';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { LoggedChange } from '../../../core/administration/change-log.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { TestCommandLine } from '../cli/command-line.ts';
import { AdminClient, dataOf } from '../http/admin-client.ts';
import { operatorKeys } from '../http/fixtures.ts';
import { startService } from '../http/service-hooks.ts';
import { memory } from '../stores/stores.ts';

/** The members of a command as JSON has them. */
type Values = Readonly<Record<string, unknown>>;

/** A way to run the declared commands, over a store in memory. */
export interface Door {
  /** Runs a command that succeeds, and returns its data: `run('key issue', { productId: 'prod_1' })`. */
  readonly run: (command: string, values?: Values) => Promise<unknown>;
  /** The code with which a command is refused; null if it succeeds. */
  readonly refusal: (command: string, values?: Values) => Promise<string | null>;
  readonly ports: StorePorts;
  /** The use cases over them, which nothing logs. */
  readonly administration: Administration;
  /** The changes in the log, without the actors. */
  readonly changes: () => readonly LoggedChange[];
  readonly close: () => Promise<void>;
}

/** Each door, whose suites are the same. */
export const doors: readonly { readonly name: string; readonly open: () => Promise<Door> }[] = [
  { name: 'over HTTP', open: openHttp },
  { name: 'on the command line', open: openCommandLine },
];

const commands: ReadonlyMap<string, Command> = new Map(
  declaredGroups.flatMap(({ name, commands: own }) => own.map((each) => [`${name} ${each.verb}`, each] as const)),
);

function declared(name: string): Command & { readonly operation: DeclaredOperation } {
  const command = commands.get(name);
  if (command === undefined || command.operation === null) throw new Error(`${name} is no command of both doors.`);
  return { ...command, operation: command.operation };
}

async function openHttp(): Promise<Door> {
  const service = await startService(memory, { adminPort: 0 });
  await service.addOperatorKey(operatorKeys.full);
  const admin = new AdminClient(service);
  const send = async (name: string, values: Values = {}) => {
    const { operation, members } = declared(name);
    const [method = '', pattern = ''] = operation.route.split(' ');
    const rest: [string, unknown][] = [];
    let path = pattern;
    for (const [member, value] of Object.entries(values)) {
      const own = members[member];
      const pathName = own === undefined ? null : pathNameOf(member, own);
      if (pathName === null) rest.push([member, value]);
      else path = path.replace(`:${pathName}`, encodeURIComponent(String(value)));
    }
    if (method !== 'GET') return admin.send(method, path, { body: operation.request && Object.fromEntries(rest) });
    const query = new URLSearchParams(rest.map(([member, value]): [string, string] => [member, String(value)]));
    return admin.get(`${path}?${query.toString()}`);
  };
  const ports = portsIn(service.container);
  return {
    ports,
    administration: administrationOf(ports, nodePlatform),
    changes: () => admin.changes.map((line) => withoutCaller(line as LoggedChange)),
    run: async (name, values) => {
      const reply = await send(name, values);
      if (reply.status >= 300) throw new Error(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return dataOf(reply);
    },
    refusal: async (name, values) => (await send(name, values)).headers['error-code'] ?? null,
    close: () => service.stop(),
  };
}

function withoutCaller({ by: _by, correlationId: _id, ...change }: LoggedChange): LoggedChange {
  return change;
}

async function openCommandLine(): Promise<Door> {
  const store = await memory.open();
  const cli = new TestCommandLine(store);
  const run = (name: string, values: Values = {}) => cli.run([...name.split(' '), ...wordsOf(name, values), '--json']);
  return {
    ports: store,
    administration: administrationOf(store, nodePlatform),
    changes: () => cli.changes,
    run: async (name, values) => {
      const { exitCode, stdout, stderr } = await run(name, values);
      if (exitCode !== 0) throw new Error(`${name}: ${exitCode} ${stderr}`);
      return JSON.parse(stdout);
    },
    refusal: async (name, values) => {
      const { exitCode, stderr } = await run(name, values);
      return exitCode === 0 ? null : (JSON.parse(stderr) as { readonly code: string }).code;
    },
    close: () => store.close(),
  };
}

/** The arguments and options that give these values. */
function wordsOf(name: string, values: Values): readonly string[] {
  return Object.entries(values).flatMap(([member, value]) => {
    const { option = null, standsFor, each } = declared(name).members[member] ?? {};
    if (option === null) throw new Error(`${name} has no option for ${member}.`);
    const [flag = ''] = option.split(' ');
    if (flag.startsWith('<')) return [String(value)];
    if (standsFor !== undefined) return [flag];
    const texts = textsOf(value);
    return each === undefined ? [flag, texts.join(',')] : texts.flatMap((text) => [flag, text]);
  });
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).map(([name, each]) => `${name}=${JSON.stringify(each)}`);
}

/** Describes what holds at each door, with a fresh store before each test. */
export function atEachDoor(what: string, tests: (door: () => Door) => void): void {
  for (const { name, open } of doors) {
    describe(`${what}, ${name}`, () => {
      let door: Door | null = null;
      beforeEach(async () => {
        door = await open();
      });
      afterEach(async () => {
        await door?.close();
        door = null;
      });
      tests(() => {
        if (door === null) throw new Error('the door is open during a test only');
        return door;
      });
    });
  }
}
