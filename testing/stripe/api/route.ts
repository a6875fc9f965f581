import type { Ledger } from '../shop/ledger.ts';
import type { Endpoint } from './endpoint.ts';
import { pageOf, pagingParameters } from './paging.ts';
import { integerOf, listOfTexts, textOf, type Parameters } from './parameters.ts';
import { refusals } from './refusals.ts';

export interface Asked {
  readonly ledger: Ledger;
  /** The id in the path, or an empty text. */
  readonly id: string;
  readonly parameters: Parameters;
}

/** An endpoint of the API, and how it answers. */
export interface Route extends Endpoint {
  readonly parameters: readonly string[];
  readonly answer: (asked: Asked) => object;
}

type Table<T> = (ledger: Ledger) => ReadonlyMap<string, T>;
/** Whether an object fits a value of a filter. */
export type Filters<T> = Readonly<Record<string, (object: T, value: string) => boolean>>;

/** Reads one object by its id. */
export function retrieve<T extends object>(path: string, permission: string, kind: string, table: Table<T>): Route {
  return {
    method: 'GET',
    path,
    permission,
    parameters: ['expand[*]'],
    answer: ({ ledger, id }) => found(table(ledger), kind, id),
  };
}

export function found<T>(table: ReadonlyMap<string, T>, kind: string, id: string): T {
  const object = table.get(id);
  if (object === undefined) throw refusals.notFound(kind, id, 'id');
  return object;
}

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** Lists objects, the newest first, with filters by equality or by the instant of creation. */
export function list<T extends Listed>(
  path: string,
  permission: string,
  all: (asked: Asked) => readonly T[],
  filters: Filters<T> = {},
): Route {
  const ranges = ['created', ...comparisons.map((comparison) => `created[${comparison}]`)];
  return {
    method: 'GET',
    path,
    permission,
    parameters: ['expand[*]', ...pagingParameters, ...ranges, ...Object.keys(filters)],
    answer: (asked) => {
      const { parameters, id } = asked;
      const fitting = all(asked).filter(
        (object) => isCreatedIn(object, parameters) && fits(object, filters, parameters),
      );
      return pageOf(path.replace(':id', id), fitting, parameters);
    },
  };
}

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

function isCreatedIn({ created }: Listed, parameters: Parameters): boolean {
  const range = parameters['created'];
  if (range === undefined) return true;
  if (typeof range === 'string') return created === integerOf(parameters, 'created');
  const {
    gt = -Infinity,
    gte = -Infinity,
    lt = Infinity,
    lte = Infinity,
  } = Object.fromEntries(comparisons.map((comparison) => [comparison, integerOf(range, comparison)]));
  return created > gt && created >= gte && created < lt && created <= lte;
}

function fits<T>(object: T, filters: Filters<T>, parameters: Parameters): boolean {
  return Object.entries(filters).every(([name, filter]) =>
    valuesOf(parameters, name).every((value) => filter(object, value)),
  );
}

/** The value of `a`, of `a[b]`, or all values of `a[*]` as one text with spaces between. */
function valuesOf(parameters: Parameters, name: string): readonly string[] {
  const [, outer = name, inner] = /^(\w+)\[(\w+|\*)\]$/.exec(name) ?? [];
  if (inner === '*') return parameters[outer] === undefined ? [] : [listOfTexts(parameters, outer).join(' ')];
  const inside = parameters[outer];
  const value =
    inner === undefined ? textOf(parameters, outer) : typeof inside === 'object' ? textOf(inside, inner) : undefined;
  return value === undefined ? [] : [value];
}

/** The objects of a table, the newest first. */
export function newest<T>(table: Table<T>): (asked: Asked) => readonly T[] {
  return ({ ledger }) => [...table(ledger).values()].toReversed();
}

/** Reads one object of a table by its id, and lists all of them, the newest first. */
export function collection<T extends Listed>(
  path: string,
  permission: string,
  kind: string,
  table: Table<T>,
  filters: Filters<T> = {},
): readonly Route[] {
  return [retrieve(`${path}/:id`, permission, kind, table), list(path, permission, newest(table), filters)];
}
