import { globSync } from 'node:fs';
import { expect } from 'chai';
import { commandLine } from '../../adapters/cli/command-line.ts';
import { root } from '../../docs/generate/repository.ts';
import { commandPaths, TestCommandLine } from '../support/cli/command-line.ts';
import { parseMarkdown, readMarkdown, type Markdown } from '../support/documents/markdown.ts';

const program = await commandLine(new TestCommandLine().shell());
const commands = commandPaths(program);
const globalFlags = program.options.map(({ long }) => long);

describe('a document', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root }).toSorted()) {
    it(`names only commands and options that exist: ${file}`, async () => {
      expect(linesIn(await readMarkdown(file)).filter((line) => !exists(line))).to.deep.equal([]);
    });
  }

  it('would be found out if it named others', async () => {
    const text =
      'Run `latchkey store migrate --json`, `./latchkey product list --all` or:\n\n```\nlatchkey store mend\n```\n';
    expect(linesIn(await parseMarkdown(text)).map(exists)).to.deep.equal([true, false, false]);
  });
});

/** The command lines in the code spans and the code blocks of a document, without what stands before the command. */
function linesIn({ codeSpans, codeLines }: Markdown): readonly string[] {
  return [...codeSpans, ...codeLines].flatMap((text) => /^(?:.*\s)?(?:\.\/)?latchkey ([a-z].*)$/.exec(text)?.[1] ?? []);
}

function exists(line: string): boolean {
  const words = line.split(' ');
  const found = commands.findLast(({ names }) => names.every((name, position) => words[position] === name));
  if (found === undefined || (found.command.commands.length > 0 && words[1]?.match(/^[a-z]/))) return false;
  const flags = [...globalFlags, ...found.command.options.map(({ long }) => long), '--help'];
  return words.filter((word) => word.startsWith('--')).every((word) => flags.includes(word));
}
