import { brokenRule, type ValueRule } from './value-rule.ts';

const things =
  'api|app|cluster|company|database|db|domain|email|host|hostname|key|name|org|organization|password|project|secret|server|shop|site|token|url|user|username';

/**
 * The placeholders that documents and dashboards write where a value belongs. A URL with such characters can be
 * percent-encoded.
 */
const placeholders: readonly RegExp[] = [
  /<[A-Za-z][\w .-]*>|\{\{[^{}]*\}\}|\$\{\w*\}|\$\(\w*\)/,
  // A whole part that a shell or compose would have replaced.
  /(?<=[:/@])\$[A-Za-z_]\w*(?=[:/@?]|$)/,
  // As our own documents write the parts of a URL.
  /(?<=[:/@])(?:USER|USERNAME|PASSWORD|HOST|HOSTNAME|PORT|DATABASE)(?=[:/@?]|$)/,
  /\bYOUR[_-]?[A-Z]|_YOUR_/,
  new RegExp(`(?<![a-z0-9])your[_-]?(?:${things})(?![a-z])`, 'i'),
  /(?<![a-z0-9])(?:change|replace|insert|fill)[_-]?(?:me|this|it|here)(?![a-z])/i,
  /x{5,}|\.{3}|…|\*{3}/i,
];

const problem =
  'must have the value itself in place of a placeholder such as <password>, YOUR_KEY or {{host}}; percent-encode what is meant as it stands';

/** The requirement that a text with a placeholder breaks; null without one. */
export function placeholderIn(text: string): string | null {
  return placeholders.some((each) => each.test(text)) ? problem : null;
}

/**
 * The rule for a value that nobody can mean with a placeholder in it, which was copied as it stood. `looked` is the part of a
 * text in which placeholders are looked for.
 */
export function filledIn<Value>(
  rule: ValueRule<Value>,
  looked: (text: string) => string = (text) => text,
): ValueRule<Value> {
  const found = (text: string): string | null => placeholderIn(looked(text));
  const parse = (text: string): Value | null => (found(text) === null ? rule.parse(text) : null);
  return {
    parse,
    read: (member) => (typeof member === 'string' ? parse(member) : rule.read(member)),
    rule: rule.rule,
    brokenBy: (text) => found(text) ?? brokenRule(rule, text),
  };
}
