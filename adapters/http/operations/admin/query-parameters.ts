import { defaultPageSize, maxPageSize, type PageRequest } from '../../../../core/paging/page.ts';
import { textRule, type ValueRule } from '../../../../core/parsing/value-rule.ts';
import { refuse } from '../../refusals.ts';
import type { OperationRequest } from '../operation.ts';

const limitRule = textRule((text) => {
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= maxPageSize && String(limit) === text ? limit : null;
}, `must be a whole number from 1 to ${maxPageSize}`);

const cursorRule = textRule((text) => text, 'must be the next of the page before');

/** Reads which page of a list a query asks for. Refuses with `invalid_parameter`. */
export function pageIn(request: Pick<OperationRequest, 'query'>): PageRequest {
  const limit = parameterIn(request, 'limit', limitRule) ?? defaultPageSize;
  return { limit, after: parameterIn(request, 'after', cursorRule) };
}

/** Reads a parameter of the query; null if it is absent. Refuses with `invalid_parameter`, also if it occurs twice. */
export function parameterIn<Value>(
  { query }: Pick<OperationRequest, 'query'>,
  name: string,
  rule: ValueRule<Value>,
): Value | null {
  const [text, ...others] = new URLSearchParams(`?${query}`).getAll(name);
  if (text === undefined) return null;
  if (others.length > 0) throw refuse('invalid_parameter', { message: `${name} must occur once.` });
  return read(text, name, rule);
}

/** Reads a parameter of the path by its rule. Refuses with `invalid_parameter`. */
export function pathValueIn<Value>(
  { parameters }: Pick<OperationRequest, 'parameters'>,
  name: string,
  rule: ValueRule<Value>,
): Value {
  return read(parameters[name] ?? '', name, rule);
}

function read<Value>(text: string, name: string, rule: ValueRule<Value>): Value {
  const value = rule.parse(text);
  if (value === null) throw refuse('invalid_parameter', { message: `${name} ${rule.rule}.` });
  return value;
}
