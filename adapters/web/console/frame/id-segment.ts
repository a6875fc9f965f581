/** The pages of the console that stand beside the pages of single things, by the last part of their path. */
const words: ReadonlySet<string> = new Set(['add', 'close', 'grant', 'import']);

/** Stands before an id that is a word of the console. No id and no slug has it. */
const mark = '@';

/** An id or slug as a part of a path. */
export function idSegment(id: string): string {
  return words.has(id) ? `${mark}${id}` : id;
}

/** The id or slug that a part of a path names. */
export function idIn(segment: string): string {
  return segment.startsWith(mark) ? segment.slice(mark.length) : segment;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** The ids and slugs in the parameters of a path. */
export function idsIn(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, segment]) => [name, segment && idIn(segment)]));
}

/** The path of a page, by the pattern of its route and the ids and slugs in its parameters. */
export function pathIn(pattern: string, parameters: Parameters): string {
  return pattern.replaceAll(/:(\w+)/g, (_whole, name: string) => idSegment(encodeURIComponent(parameters[name] ?? '')));
}
