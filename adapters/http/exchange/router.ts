import findMyWay from 'find-my-way';
import type { Operation } from '../operations/operation.ts';

/** A path and its operations. */
export interface Route {
  readonly path: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The pages that share their method with one of these operations. */
  readonly pages: ReadonlyMap<string, Operation>;
  /** The value of `Allow`. */
  readonly allow: string;
  readonly crossOrigin: boolean;
}

export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** More than an identifier of the maximum length takes, percent-encoded. */
const maxParameterLength = 1024;

/** Finds the route of a raw path. Segments are decoded after the path is split, so that `%2F` never makes a segment. */
export class Router {
  /** The methods of all operations, in the form of `Allow`. */
  readonly allow: string;
  /** The routes without parameters, by their path. */
  readonly #fixed = new Map<string, Match>();
  readonly #tree = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    maxParamLength: maxParameterLength,
    onBadUrl: () => {},
    defaultRoute: () => {},
  });

  constructor(operations: readonly Operation[]) {
    this.allow = allowOf(operations);
    for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
      const route = routeOf(path, own);
      if (!path.includes(':')) this.#fixed.set(path, { route, parameters: {} });
      this.#tree.on('GET', path, () => {}, route);
    }
  }

  /** Returns null for an unknown path, one that cannot be decoded, and one with an empty parameter. */
  find(path: string): Match | null {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return fixed;
    if (!path.startsWith('/')) return null; // find-my-way does not look at the first character
    const found = this.#tree.find('GET', path);
    if (found === null || found.store === null) return null;
    if (Object.values(found.params).includes('')) return null;
    const route: Route = found.store;
    return { route, parameters: found.params };
  }
}

function routeOf(path: string, operations: readonly Operation[]): Route {
  const pages = byMethod(operations.filter(({ errors }) => errors === 'page'));
  const json = byMethod(operations.filter(({ errors }) => errors !== 'page'));
  return {
    path,
    operations: new Map([...pages, ...json]),
    pages: new Map([...pages].filter(([method]) => json.has(method))),
    allow: allowOf(operations),
    crossOrigin: operations.some(({ crossOrigin }) => crossOrigin),
  };
}

function byMethod(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.flatMap((operation) => methodsOf(operation).map((method) => [method, operation] as const)));
}

function allowOf(operations: readonly Operation[]): string {
  return [...new Set(operations.flatMap(methodsOf)), 'OPTIONS'].join(', ');
}

/** An operation of GET serves HEAD as well (RFC 9110 §9.3.2). */
function methodsOf({ method }: Operation): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
