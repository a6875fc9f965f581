import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Exchange } from './cases.ts';

/** A service with scripted answers, which records each request that differs from the expected one. */
export class ScriptedService {
  readonly #server: Server;
  readonly #edition: string;
  #expected: readonly Exchange[] = [];
  #count = 0;
  #findings: string[] = [];

  private constructor(edition: string) {
    this.#edition = edition;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(edition: string): Promise<ScriptedService> {
    const service = new ScriptedService(edition);
    await once(service.#server.listen(0, '127.0.0.1'), 'listening');
    service.#server.unref();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Expects these requests, in this order, from now on. */
  expect(exchanges: readonly Exchange[]): void {
    [this.#expected, this.#count, this.#findings] = [exchanges, 0, []];
  }

  /** The mistakes in the requests since `expect`. */
  findings(): readonly string[] {
    const missing = this.#expected.slice(this.#count).map(({ path }) => `sent no request to ${path}`);
    return [...this.#findings, ...missing];
  }

  /** Ends every connection, those that are silent too. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const body = await text(request).catch(() => '');
    const expected = this.#expected[this.#count];
    this.#count += 1;
    const { method = '', url = '' } = request;
    if (expected === undefined || method !== 'POST' || url !== expected.path) {
      this.#findings.push(
        `sent ${method} ${url}, ${expected === undefined ? 'one request too many' : `not POST ${expected.path}`}`,
      );
      response.writeHead(500).end();
      return;
    }
    this.#findings.push(...this.#faultsOf(request, body, expected));
    send(expected.answer, response);
  }

  #faultsOf({ headers }: IncomingMessage, body: string, expected: Exchange): readonly string[] {
    const faults: string[] = [];
    const type = headers['content-type'] ?? '';
    if (!/^application\/json(; ?charset=utf-8)?$/i.test(type)) faults.push(`sent the Content-Type ${type}`);
    if (headers['api-version'] !== this.#edition) faults.push(`sent the API-Version ${String(headers['api-version'])}`);
    if (headers.authorization !== undefined) faults.push('sent an Authorization');
    if (!isDeepStrictEqual(parsed(body), expected.body))
      faults.push(`sent to ${expected.path} the body ${body.slice(0, 300)}`);
    return faults;
  }
}

function send(answer: Answer, response: ServerResponse): void {
  if (answer === 'closed') response.destroy();
  else if (answer === 'endless-header') {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => response.socket?.write('X-More: to come\r\n'), 300);
    response.on('close', () => clearInterval(timer));
  } else if (answer === 'endless') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  } else if (answer !== 'silent') {
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const bytes = Buffer.from(body);
    const length = answer.status === 204 ? {} : { 'Content-Length': bytes.length + (answer.cut === true ? 10 : 0) };
    response.writeHead(answer.status, { ...answer.headers, ...length });
    if (answer.cut === true) response.write(bytes, () => setTimeout(() => response.destroy(), 50));
    else response.end(answer.status === 204 ? undefined : bytes);
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
