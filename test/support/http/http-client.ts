import { request } from 'node:http';
import { expectDocumented } from './documented.ts';

/** A response without what differs each time and what belongs to the connection. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; undefined for a response without content. */
  readonly body: unknown;
}

export interface Asked {
  readonly method?: string;
  /** Pairs, so that a field can stand on two lines. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** The correlation id of every request that does not bring its own. */
export const requestId = 'request-0001';

const ofConnection = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/**
 * Sends one request on a connection of its own, with no header field but what is given, `Host` and an `X-Request-Id`.
 * What comes back must be as the OpenAPI document says.
 */
export async function ask(url: string, { method = 'GET', headers = [], body }: Asked = {}): Promise<Reply> {
  const { text, ...reply } = await askForText(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { ...reply, body: text === '' ? undefined : JSON.parse(text) };
}

/** The same, with the content as it came. */
export function askForText(
  url: string,
  { method = 'GET', headers = [], body }: Asked = {},
): Promise<Omit<Reply, 'body'> & { readonly text: string }> {
  const { host } = new URL(url);
  const hasId = headers.some(([name]) => name.toLowerCase() === 'x-request-id');
  const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
  const all = [
    ['Host', host] as const,
    ...(hasId ? [] : [['X-Request-Id', requestId] as const]),
    ...length,
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent: false, setHost: false, headers: all.flat() }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => (text += part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const answer = { status: incoming.statusCode ?? 0, headers: fieldsOf(incoming.rawHeaders), text };
        try {
          expectDocumented(method, outgoing.path, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** `fetch`, whose answer must be as the OpenAPI document says. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.clone().text();
  expectDocumented(init.method ?? 'GET', url, { status, headers: Object.fromEntries(headers), text });
  return response;
}

function fieldsOf(rawHeaders: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (!ofConnection.has(name)) fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
  }
  return fields;
}
