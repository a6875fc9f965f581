import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { commandLine } from '../../adapters/cli/command-line.ts';
import { fileOf, root } from '../../docs/generate/repository.ts';
import { commandPaths, TestCommandLine } from '../support/processes/command-line.ts';

const program = await commandLine(new TestCommandLine().shell());
const commands = commandPaths(program);
const globalFlags = program.options.map(({ long }) => long);

describe('a document', () => {
  for (const file of globSync(['*.md', 'docs/*.md'], { cwd: root }).toSorted()) {
    it(`names only commands and options that exist: ${file}`, async () => {
      const lines = linesIn(await readFile(fileOf(file), 'utf8'));
      expect(lines.filter((line) => !exists(line))).to.deep.equal([]);
    });
  }

  it('would be found out if it named others', () => {
    const text = 'Run `latchkey store migrate --json`, `npx latchkey product list --all` or:\n\nlatchkey store mend\n';
    expect(linesIn(text).map(exists)).to.deep.equal([true, false, false]);
  });
});

/** The command lines of a text, in code spans or at the beginning of a line. */
function linesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:`|^)(?:npx )?latchkey ([a-z][^`\n]*)/gm)].map(([, line = '']) => line);
}

function exists(line: string): boolean {
  const words = line.split(' ');
  const found = commands.findLast(({ names }) => names.every((name, position) => words[position] === name));
  if (found === undefined || (found.command.commands.length > 0 && words[1]?.match(/^[a-z]/))) return false;
  const flags = [...globalFlags, ...found.command.options.map(({ long }) => long), '--help'];
  return words.filter((word) => word.startsWith('--')).every((word) => flags.includes(word));
}
