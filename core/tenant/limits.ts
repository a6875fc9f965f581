import type { Call } from '../call.ts';
import { requireUnlimited } from '../reach.ts';
import { Refusal } from '../refusal.ts';

type UseCases = Readonly<Record<string, (...parameters: never) => unknown>>;

type AnyUseCase = (...parameters: readonly unknown[]) => unknown;

/** Use cases that are marked for limited callers, by `ofService` or `ofProducts`. */
export interface Guarded<Own> {
  readonly useCases: Own;
}

/** Use cases of things that the service has once. A limited caller is refused with `limited_key`. */
export function ofService<Own extends UseCases>(useCases: Own): Guarded<Own> {
  const refusing = Object.entries(useCases).map(([name, run]) => [name, refusingLimited(run as AnyUseCase)]);
  return { useCases: Object.fromEntries(refusing) as Own };
}

function refusingLimited(run: AnyUseCase): AnyUseCase {
  return (...parameters) => run(...parameters.map(ofUnlimited));
}

/** Refuses a limited call, and every one that a function among the parameters begins. */
function ofUnlimited(parameter: unknown): unknown {
  if (isCall(parameter)) requireUnlimited(parameter);
  if (typeof parameter !== 'function') return parameter;
  const made = parameter as AnyUseCase;
  return (...given: readonly unknown[]) => ofUnlimited(made(...given));
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'deadline' in value && 'products' in value;
}

/** Use cases that the ports keep to the products of a caller that is limited to some. */
export function ofProducts<Own extends UseCases>(useCases: Own): Guarded<Own> {
  return { useCases };
}

/** Several groups as one. A use case that is in none of them does not compile. */
export function together<Groups extends readonly Guarded<UseCases>[]>(...groups: Groups): Guarded<AllOf<Groups>> {
  return { useCases: Object.assign({}, ...groups.map(({ useCases }) => useCases)) as AllOf<Groups> };
}

type AllOf<Groups> = Groups extends readonly [Guarded<infer First>, ...infer Rest] ? First & AllOf<Rest> : unknown;

type MayUse<UseCase> = UseCase extends (...parameters: infer Given) => unknown
  ? (products: ReadonlySet<string>, ...parameters: Given) => boolean
  : never;

/** One of them that a limited caller may use with some parameters only. Any others are refused with `limited_key`. */
export function allowedWhere<UseCase extends (...parameters: never) => Promise<unknown>>(
  useCase: UseCase,
  mayUse: MayUse<UseCase>,
): UseCase {
  const run = useCase as unknown as AnyUseCase;
  // `async`, so that a refusal is a rejection as any other.
  const limited: AnyUseCase = async (...parameters) => {
    const { products } = parameters.at(-1) as Call;
    const isAllowed = products === null || (mayUse as AnyMayUse)(products, ...parameters);
    if (!isAllowed) throw new Refusal('limited_key');
    return run(...parameters);
  };
  return limited as unknown as UseCase;
}

type AnyMayUse = (products: ReadonlySet<string>, ...parameters: readonly unknown[]) => boolean;
