import { readMembers, type MemberRules } from '../../../../core/parsing/read-members.ts';
import { refuse } from '../../refusals.ts';

/** Characters of an unknown member's name that a message repeats. */
const maxNameLength = 64;
/** Unknown members that a message names. */
const maxNames = 10;

/**
 * Makes the function that reads a body by the rules of its members; no body counts as an empty object. Refuses with
 * `invalid_body`, whose message names every mistake: members that are missing, break their rule or are unknown. A
 * misspelt member must not become a default.
 */
export function bodyReader<Values extends object>(
  rules: MemberRules<Values>,
  required: readonly (keyof Values & string)[],
): (body: unknown) => Values {
  return (body = {}) => {
    if (!isObject(body)) throw refuse('invalid_body');
    const unknown = Object.keys(body).filter((name) => !Object.hasOwn(rules, name));
    const reading = readMembers(rules, required, body, 'read');
    if (reading.kind === 'read' && unknown.length === 0) return reading.values;
    const mistakes = reading.kind === 'read' ? [] : reading.mistakes;
    const messages = mistakes.map(({ member, problem }) => `${member} ${problem}.`);
    throw refuse('invalid_body', { message: [...unknownMessages(unknown), ...messages].join(' ') });
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownMessages(names: readonly string[]): readonly string[] {
  const named = names.slice(0, maxNames).map((name) => `"${shown(name)}" is not a member of this request.`);
  return names.length > maxNames ? [...named, `${names.length - maxNames} more members are unknown.`] : named;
}

/** The beginning of a name in printable ASCII: a client may print the message on a terminal. */
function shown(name: string): string {
  return Array.from({ length: Math.min(name.length, maxNameLength) }, (_, index) => {
    const character = name.charAt(index);
    const isPlain = character >= ' ' && character <= '~' && character !== '"' && character !== '\\';
    return isPlain ? character : `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
