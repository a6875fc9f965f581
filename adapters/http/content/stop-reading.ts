import type { IncomingMessage } from 'node:http';

/** Reads no more from the connection of a request whose content nobody takes, and drops what has arrived already. */
export function stopReading(request: IncomingMessage): void {
  Object.assign(request, {
    _read: () => {}, // it would read on
    push: () => true, // the parser still reports the rest of a packet, in any number of chunks
  });
  request.socket.pause();
}
