/** The error that `failing` throws. The caller cannot know whether the call has taken effect. */
export class InjectedFault extends Error {}

export interface Fault<Port> {
  readonly method: keyof Port;
  /** The number of the call that fails, from 1. */
  readonly nth: number;
  /** Whether the call fails before or after it takes effect. */
  readonly when: 'before' | 'after';
  /** The error to throw instead of an `InjectedFault`. */
  readonly error?: Error;
}

export const moments: readonly Fault<unknown>['when'][] = ['before', 'after'];

/** Wraps a port so that one call fails, before or after it takes effect. */
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
