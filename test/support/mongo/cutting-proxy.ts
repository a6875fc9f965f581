import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that can lose commands and replies. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection instead of replying to each of the next `times` commands of this name. */
  cutRepliesTo(command: string, times: number): void;
  /** Resets the connection at the first packet of each command of this name that has more than one. */
  resetLong(command: string): void;
  /** Reads nothing more of the connection from there on. */
  stallLong(command: string): void;
  close(): Promise<void>;
}

/** A TCP proxy for MongoDB's protocol, in which a command's body begins with its name. */
export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let marker: Buffer | null = null;
  let left = 0;
  let refused: { readonly name: Buffer; readonly refuse: (client: Socket) => void } | null = null;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let cutsNextReply = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {});
    }
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => {
      if (refused !== null && bytes.includes(refused.name) && bytes.readInt32LE(0) > bytes.length) {
        refused.refuse(client);
        return;
      }
      if (marker !== null && left > 0 && bytes.includes(marker)) {
        left -= 1;
        cutsNextReply = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (cutsNextReply ? cut() : client.write(bytes)));
    client.on('close', cut);
    upstream.on('close', cut);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutRepliesTo(command, times) {
      marker = nameOf(command);
      left = times;
    },
    resetLong(command) {
      refused = { name: nameOf(command), refuse: (client) => client.resetAndDestroy() };
    },
    stallLong(command) {
      refused = { name: nameOf(command), refuse: (client) => client.pause() };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The name of a command as the bytes of a string element: its type, its name, and a zero. */
function nameOf(command: string): Buffer {
  return Buffer.from(`\u0002${command}\0`);
}
