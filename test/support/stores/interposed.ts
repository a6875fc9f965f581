import type { StorePorts } from '../../../core/store/store.port.ts';

/** Wraps a port so that something happens before each of its calls, such as a write of another process. */
export function interposed<Port extends object>(
  port: Port,
  before: (method: keyof Port, parameters: readonly unknown[]) => unknown,
): Port {
  return new Proxy(port, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        await before(property as keyof Port, parameters);
        return Reflect.apply(member, target, parameters) as unknown;
      };
    },
  });
}

/** The ports of a process that is killed after `calls` calls of them. */
export function dyingAfter(ports: StorePorts, calls: number): StorePorts {
  let left = calls;
  const die = (): void => {
    left -= 1;
    if (left < 0) throw new Error('the process is killed');
  };
  const dying = Object.entries(ports).map(([name, port]) => [name, isPort(port) ? interposed(port, die) : port]);
  return Object.fromEntries(dying) as StorePorts;
}

function isPort(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
