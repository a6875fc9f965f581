import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A proxy that loses answers after the service has done what was asked for. */
export interface LossyProxy {
  readonly url: string;
  /** The address of the service. */
  to: string;
  /** Answers that are still to be lost. */
  lose: number;
  close(): Promise<void>;
}

/** Starts a proxy before a service, which may be set later. */
export async function startLossyProxy(serviceUrl = ''): Promise<LossyProxy> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { authorization = '', 'content-type': contentType = '' } = request.headers;
      const reply = await fetch(`${proxy.to}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: { authorization, 'content-type': contentType },
        body: (await text(request)) || null,
      });
      const body = await reply.text();
      if (proxy.lose > 0) {
        proxy.lose -= 1;
        response.destroy();
        return;
      }
      const code = reply.headers.get('error-code');
      response.writeHead(reply.status, code === null ? {} : { 'Error-Code': code }).end(body);
    };
    void forward().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${port}`,
    to: serviceUrl,
    lose: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
