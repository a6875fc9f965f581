/**
 * Replaces the lines between `<!-- name -->` and `<!-- /name -->` in a Markdown document, for each name. The markers
 * stay. Throws if the document lacks one.
 */
export function withBlocks(document: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, lines]) => withBlock(text, name, lines), document);
}

function withBlock(document: string, name: string, lines: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`The document has no lines ${begin.trim()} and ${end}.`);
  return `${document.slice(0, start + begin.length)}${lines}\n${document.slice(stop)}`;
}
