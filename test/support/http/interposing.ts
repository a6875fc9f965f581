import type { ServiceIdentifier } from 'inversify';
import type { ServiceOptions } from './test-service.ts';

export type Rebind = NonNullable<ServiceOptions['rebind']>;

/** Replaces a port with one that runs `around` in one method. */
export function interposing<Port extends object>(
  token: ServiceIdentifier<Port>,
  method: keyof Port,
  around: (carryOut: () => Promise<unknown>) => Promise<unknown>,
): Rebind {
  return (container) => {
    const real = container.get(token);
    const interposed = new Proxy(real, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function') return member;
        if (property !== method) return member.bind(target);
        return (...parameters: unknown[]) => around(async () => Reflect.apply(member, target, parameters));
      },
    });
    container.rebind(token).toConstantValue(interposed);
  };
}
