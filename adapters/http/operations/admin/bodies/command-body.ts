import { pathNameOf, type Command } from '../../../../administration/declaration/command.ts';
import { requestBody, type RequestBody } from './request-body.ts';

/** The body of the request for a command: all members that are not in the path. */
export function bodyOf({ members }: Pick<Command, 'members'>): RequestBody<object> {
  const own = Object.entries(members).filter(([name, member]) => pathNameOf(name, member) === null);
  const body = requestBody(
    Object.fromEntries(own.map(([name, { rule }]) => [name, rule])),
    own.filter(([, { isRequired }]) => isRequired !== false).map(([name]) => name),
    Object.fromEntries(own.flatMap(([name, { docs }]) => (docs === undefined ? [] : [[name, docs]]))),
  );
  return { ...body, schemas: Object.fromEntries(own.map(([name, { schema }]) => [name, schema])) };
}
