const localInstant = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;

/**
 * Reads what browsers send for a date, with or without a time, as UTC. Leaves every other text as it is: an instant with an
 * offset is read as such, and the rest is refused by its rule.
 */
export function instantIn(text: string): string {
  const [, day, time = 'T00:00'] = localInstant.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}${time}${time.length === 6 ? ':00' : ''}Z`;
}

/** The value of a field for a date and a time, which has no offset. */
export function localForm(text: string): string {
  return text.replace(/(?::00(?:\.000)?)?Z$/, '');
}
