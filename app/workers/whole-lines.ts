import type { Readable } from 'node:stream';

/** Passes on each line of a text as soon as it is complete, with its line feed. A last line without one gets one. */
export function forEachLine(input: Readable, write: (line: string) => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) write(`${line}\n`);
  });
  input.on('end', () => {
    if (rest !== '') write(`${rest}\n`);
  });
}
