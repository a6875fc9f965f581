import type { SchemaObject } from 'ajv/dist/2020.js';
import type { CommandGroup } from '../../../../administration/declaration/command.ts';
import { answerOf, pageOf } from '../../../../administration/declaration/schema-parts.ts';
import { bodyOf } from '../bodies/request-body.ts';
import { bodySchema } from './rule-schemas.ts';

/** The named schemas of a group: what its answers are made of, those answers, and its requests. */
export function schemasOf({ schemas, commands }: CommandGroup): Readonly<Record<string, SchemaObject>> {
  const derived = commands.flatMap((command) => {
    if (command.operation === null) return [];
    const { request, answer } = command.operation;
    const [, thing = '', kind] = /^(.*)(Answer|Page)$/.exec(answer.schema) ?? [];
    return [
      [answer.schema, kind === 'Page' ? pageOf(thing) : answerOf(thing)] as const,
      ...(request === undefined ? [] : [[request.schema, bodySchema(bodyOf(command))] as const]),
    ];
  });
  return { ...Object.fromEntries(derived), ...schemas };
}
