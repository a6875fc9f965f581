import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import { forEachLine } from '../../../app/workers/worker-handle.ts';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const input = new PassThrough();
  forEachLine(input, (line) => lines.push(line));
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await finished(input);
  return lines;
}

describe('the lines of a worker', () => {
  it('are passed on whole, wherever they were cut', async () => {
    expect(await linesOf('a', 'b\nc', '\n\nd\n')).to.deep.equal(['ab\n', 'c\n', '\n', 'd\n']);
  });

  it('get a line feed if the worker ended in the middle', async () => {
    expect(await linesOf('a\nb')).to.deep.equal(['a\n', 'b\n']);
  });

  it('are cut at line feeds only, and never inside a character', async () => {
    const text = Buffer.from('ä\u2028\r€\n');
    expect(await linesOf(text.subarray(0, 1), text.subarray(1, 7), text.subarray(7))).to.deep.equal(['ä\u2028\r€\n']);
  });
});
