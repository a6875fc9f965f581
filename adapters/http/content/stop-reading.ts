import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with its parser, which calls the function at this index (`HTTPParser.kOnBody`) with each chunk. */
interface ParsedSocket extends Socket {
  readonly parser?: { 3?: unknown } | null;
}

/** Reads no more from the connection of a request whose content nobody takes, and drops what has arrived already. */
export function stopReading(request: IncomingMessage): void {
  Object.assign(request, {
    _read: () => {}, // it would read on
    push: () => true,
  });
  request.socket.pause();
  skipChunks(request.socket);
}

/**
 * Lets the parser skip the rest of the packet: reporting 10,000 chunks of one byte takes 20 ms, and Node cannot stop a
 * parser within a packet. Node reuses the parser of a closed connection, so the function is put back as soon as Node
 * has the parser back.
 */
function skipChunks(socket: ParsedSocket): void {
  const { parser } = socket;
  const report = parser?.[3];
  if (!parser || typeof report !== 'function' || report.name !== 'parserOnBody') return;
  parser[3] = null;
  socket.once('close', () => (parser[3] = report));
}
