/** The names of options, of which none can be forgotten. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/** Returns the options of a function. Throws `TypeError` for unknown ones, which JavaScript may pass. */
export function knownOptions<Options extends object>(
  of: string,
  names: Readonly<Record<keyof Options, unknown>>,
  options: Options,
): Options {
  const known = Object.keys(names);
  if (typeof options !== 'object') throw new TypeError(`${of} takes an object with ${known.join(', ')}.`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return options;
  throw new TypeError(`${of} has no option ${unknown}: it takes ${known.join(', ')}.`);
}
