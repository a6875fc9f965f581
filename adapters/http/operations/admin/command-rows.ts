import type { Administration } from '../../../../core/administration/administration.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import type { ValueRule } from '../../../../core/parsing/value-rule.ts';
import {
  pathNameOf,
  type Command,
  type CommandGroup,
  type DeclaredOperation,
} from '../../../administration/declaration/command.ts';
import type { Members } from '../../../administration/declaration/member.ts';
import { refuse } from '../../refusals.ts';
import type { ParameterDocs } from '../docs/operation-docs.ts';
import type { Method, OperatorRequest } from '../operation.ts';
import { listAnswer, type AdminAnswer, type AdminRow } from './admin-operation.ts';
import { bodyOf } from './bodies/request-body.ts';
import { listParameters, pathParameter, queryParameter, type AdminDocs } from './docs/admin-docs.ts';
import { schemaOfMember } from './docs/rule-schemas.ts';
import { pageIn, parameterIn, pathValueIn } from './query-parameters.ts';

/** The operations of a group of commands. */
export function rowsOf(group: CommandGroup, administration: Administration): readonly AdminRow[] {
  return group.commands.flatMap((command) =>
    command.operation === null ? [] : [rowOf(command, command.operation, group, administration)],
  );
}

function rowOf(
  command: Command,
  operation: DeclaredOperation,
  { tag }: CommandGroup,
  administration: Administration,
): AdminRow {
  const [method, path] = operation.route.split(' ') as [Method, string];
  const read = valuesOf(command, method);
  const { run } = command;
  const answer = async (request: OperatorRequest): Promise<AdminAnswer> => {
    if (typeof run === 'function') {
      const values = read(request);
      const scope = operation.alsoNeeds?.(values) ?? null;
      if (scope !== null && !request.operatorKey.scopes.includes(scope)) throw refuse('insufficient_scope', { scope });
      const { data, isNew = false, entitlementId } = await run(administration, values, request.call);
      return { status: isNew ? 201 : 200, data, ...(entitlementId !== undefined && { entitlementId }) };
    }
    const page = pageIn(request);
    return listAnswer(page, await run.page(administration, read(request), page, request.call), run.view);
  };
  const body = bodyOf(command);
  return {
    id: operation.id,
    method,
    path,
    access: operation.access,
    ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
    ...(operation.extraTime !== undefined && { extraTime: operation.extraTime }),
    ...(operation.request !== undefined && { body: body.required.length > 0 ? 'json' : 'optional json' }),
    docs: docsOf(command, operation, method, tag),
    answer,
  };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Whether a value in the path must keep its rule: where a request may make or delete the object, and where the id has a
 * form of its own. Any other invalid id is answered like an unknown one.
 */
function isStrict(method: Method, rule: ValueRule<unknown>): boolean {
  return method === 'PUT' || method === 'DELETE' || rule !== identifierRule;
}

/** Reads the values in a request. */
function valuesOf(command: Command, method: Method): (request: OperatorRequest) => Values {
  const { members, operation } = command;
  const body = bodyOf(command);
  const inPath = Object.entries(members).flatMap(([name, member]) => {
    const pathName = pathNameOf(name, member);
    return pathName === null ? [] : [[name, pathName, member.rule] as const];
  });
  const others = Object.entries(members).filter(([name, member]) => pathNameOf(name, member) === null);
  return (request) => {
    const path = inPath.map(([name, pathName, rule]) => [
      name,
      isStrict(method, rule) ? pathValueIn(request, pathName, rule) : (request.parameters[pathName] ?? ''),
    ]);
    const query = method === 'GET' ? others.map(([name, { rule }]) => [name, parameterIn(request, name, rule)]) : [];
    const given: Values = {
      ...Object.fromEntries([...path, ...query]),
      ...(operation?.request && body.read(request.body)),
    };
    return Object.fromEntries(Object.entries(members).map(([name, { otherwise }]) => [name, given[name] ?? otherwise]));
  };
}

function docsOf(
  { members, run }: Command,
  { summary, description, request, answer, refusals }: DeclaredOperation,
  method: Method,
  tag: AdminDocs['tag'],
): AdminDocs {
  const parameters = [...parametersOf(members, method === 'GET'), ...(typeof run === 'function' ? [] : listParameters)];
  const isRefused =
    typeof run !== 'function' ||
    Object.entries(members).some(
      ([name, member]) => pathNameOf(name, member) !== null && isStrict(method, member.rule),
    );
  return {
    tag,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(request !== undefined && { request }),
    success: answer,
    refusals: [...(isRefused ? (['invalid_parameter'] as const) : []), ...(refusals as AdminDocs['refusals'])],
  };
}

/** The parameters in the path and, of a request that reads, in the query. */
function parametersOf(members: Members, hasQuery: boolean): readonly ParameterDocs[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const { says, docs = `${says.charAt(0).toUpperCase()}${says.slice(1)}.` } = member;
    const pathName = pathNameOf(name, member);
    if (pathName !== null) return [pathParameter(pathName, docs, schemaOfMember(member))];
    return hasQuery ? [queryParameter(name, docs, schemaOfMember(member))] : [];
  });
}
