import type { StorePorts } from '../../../core/store/store.port.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import { interposed } from '../stores/interposed.ts';

/** A question to a store: the method of a port, and its parameters. */
export type Question = readonly [method: string, parameters: readonly unknown[]];

export interface Listened {
  readonly ports: StorePorts;
  readonly questions: Question[];
  /** Carries out some work, and returns the methods that it asks, in order. */
  readonly methodsOf: (work: () => unknown) => Promise<readonly string[]>;
}

/** The ports of a store, with all that is asked of them. */
export function listened(store: StorePorts): Listened {
  const questions: Question[] = [];
  const ports = Object.keys(limitedPorts(store)).map((name) => {
    const port: object = store[name as keyof StorePorts];
    return [
      name,
      interposed(port, (method, parameters) => questions.push([`${name}.${String(method)}`, parameters])),
    ] as const;
  });
  const methodsOf = async (work: () => unknown): Promise<readonly string[]> => {
    questions.length = 0;
    await work();
    return questions.map(([method]) => method);
  };
  return { ports: Object.fromEntries(ports) as unknown as StorePorts, questions, methodsOf };
}
