import findMyWay from 'find-my-way';
import type { Operation } from '../operations/operation.ts';

/** A path of the table, with the operations that it has. */
export interface Route {
  readonly path: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The value of `Allow`. */
  readonly allow: string;
  readonly crossOrigin: boolean;
}

export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Longer than any identifier, percent-encoded. */
const maxParameterLength = 1024;

/** Finds the route of a raw path: segments are decoded after the path is split, so that `%2F` never makes a segment. */
export class Router {
  readonly #tree = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    maxParamLength: maxParameterLength,
    onBadUrl: () => {},
    defaultRoute: () => {},
  });

  constructor(operations: readonly Operation[]) {
    for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
      const route = routeOf(path, own);
      this.#tree.on('GET', path, () => {}, route);
    }
  }

  /** Null for an unknown path, for one that cannot be decoded, and for one with an empty parameter. */
  find(path: string): Match | null {
    const found = this.#tree.find('GET', path);
    if (found === null || found.store === null) return null;
    if (Object.values(found.params).includes('')) return null;
    const route: Route = found.store;
    return { route, parameters: found.params };
  }
}

function routeOf(path: string, operations: readonly Operation[]): Route {
  const byMethod = operations.flatMap((operation) =>
    methodsOf(operation).map((method) => [method, operation] as const),
  );
  return {
    path,
    operations: new Map(byMethod),
    allow: [...byMethod.map(([method]) => method), 'OPTIONS'].join(', '),
    crossOrigin: operations.some(({ crossOrigin }) => crossOrigin),
  };
}

/** GET serves HEAD, too (RFC 9110 §9.3.2). */
function methodsOf({ method }: Operation): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
