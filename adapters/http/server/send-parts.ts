import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters that are sent at once. */
const pieceLength = 65_536;

/** Bytes that an answer in parts holds: the piece that is sent, those made after it, and the one in the making. */
export const partsSize = 4 * pieceLength;

/** Joins short parts to pieces of at least that length; the last one may be shorter. */
export async function* piecesOf(parts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const part of parts) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/**
 * Sends content of unknown length, and ends the response. A piece is made once the client has taken those before it. A
 * client that has left, or does not take a piece within `timeout` milliseconds, ends the making. If a piece cannot be made,
 * the connection ends in the middle of the content, so that the client sees that some is missing, and the error is thrown.
 */
export async function sendParts(
  response: ServerResponse,
  first: string,
  others: AsyncIterable<string>,
  timeout: number,
): Promise<void> {
  if (response.destroyed) return;
  const end = (): void => void response.destroy();
  let timer = setTimeout(end, timeout);
  async function* timed(): AsyncIterable<string> {
    for await (const piece of startingWith(first, others)) {
      clearTimeout(timer);
      timer = setTimeout(end, timeout);
      yield piece;
    }
  }
  try {
    await pipeline(Readable.from(timed(), { highWaterMark: 1 }), response);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncIterable<string> {
  yield first;
  yield* others;
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
