/** What `failing` throws: the outcome of the call is unknown to whoever catches it. */
export class InjectedFault extends Error {}

export interface Fault<Port> {
  readonly method: keyof Port;
  /** Which call of the method fails, from 1. */
  readonly nth: number;
  /** Whether the failing call has taken effect. */
  readonly when: 'before' | 'after';
  /** What it throws instead of an `InjectedFault`. */
  readonly error?: Error;
}

export const moments: readonly Fault<unknown>['when'][] = ['before', 'after'];

/** The port as it is, but for one call, which fails before or after it took effect. */
export function failing<Port extends object>(port: Port, fault: Fault<Port>): Port {
  let calls = 0;
  return new Proxy(port, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      if (property !== fault.method) return member.bind(target);
      return async (...parameters: unknown[]) => {
        calls += 1;
        const fails = calls === fault.nth;
        const error = fault.error ?? new InjectedFault();
        if (fails && fault.when === 'before') throw error;
        const result: unknown = await Reflect.apply(member, target, parameters);
        if (fails) throw error;
        return result;
      };
    },
  });
}
