import { eventTypes, type EventType } from '../entitlement/event/event-type.ts';
import type { ValueRule } from '../parsing/value-rule.ts';

/** A rule for types of events, each once: an array or, in a text, with commas between them. */
export const eventTypesRule: ValueRule<readonly EventType[]> = {
  parse: (text) => typesIn(text.split(',')),
  read: (member) => (Array.isArray(member) ? typesIn(member) : null),
  rule: `must be one or more of ${eventTypes.join(', ')}`,
};

function typesIn(given: readonly unknown[]): readonly EventType[] | null {
  const known = eventTypes.filter((type) => given.includes(type));
  return known.length > 0 && given.every((type) => known.some((one) => one === type)) ? known : null;
}
