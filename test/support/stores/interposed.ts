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
