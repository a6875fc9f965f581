/**
 * Replaces the lines between `<!-- name -->` and `<!-- /name -->` in a Markdown document. The markers stay. Throws if the
 * document does not have both.
 */
export function withBlock(document: string, name: string, lines: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`The document has no lines ${begin.trim()} and ${end}.`);
  return `${document.slice(0, start + begin.length)}${lines}\n${document.slice(stop)}`;
}
