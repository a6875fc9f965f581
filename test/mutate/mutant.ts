import { createHash } from 'node:crypto';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A change of the sources. */
export interface Change {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  readonly became: string;
}

/** A change that was tried. */
export interface Mutant extends Change {
  readonly was: string;
  /** The line of the source in which the change begins, without its indentation. */
  readonly line: string;
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError' | 'CompileError';
  /** Whether the changed code runs while the sources are loaded. */
  readonly isStatic: boolean;
}

/** Identifies a change within one state of the sources. */
export function idOf({ file, start, end, became }: Change): string {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, became]);
}

/** Whether a change is in a sample of this share: the same ones in every run, spread over all files. */
export function isSampled(change: Change, share: number): boolean {
  return createHash('sha256').update(idOf(change)).digest().readUInt32BE() < share * 2 ** 32;
}

/** A piece of a source with single spaces for its white space. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
