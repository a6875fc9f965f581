import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that can lose its replies. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection instead of replying to each of the next `times` commands of this name. */
  cutRepliesTo(command: string, times: number): void;
  close(): Promise<void>;
}

/** A TCP proxy for MongoDB's protocol, in which a command's body begins with its name. */
export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let marker: Buffer | null = null;
  let left = 0;
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
      // A string element: its type, its name, and a zero.
      marker = Buffer.from(`\u0002${command}\0`);
      left = times;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
