import { request } from 'node:http';
import { expectDocumented } from './documented.ts';
import type { HeaderLine } from './requests.ts';

/** A response without the header fields of the connection and those that differ each time. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; undefined for a response without content. */
  readonly body: unknown;
}

export interface RequestOptions {
  readonly method?: string;
  /** Lines, so that a field can be sent twice: `Name: value`. */
  readonly headers?: readonly HeaderLine[];
  readonly body?: string | Uint8Array;
}

/** The correlation id of requests that have none of their own. */
export const requestId = 'request-0001';

const ofConnection = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/**
 * Sends one request on a connection of its own, with the given header lines, `Host` and an `X-Request-Id`. The response must
 * conform to the OpenAPI document.
 */
export async function send(url: string, options: RequestOptions = {}): Promise<Reply> {
  const { text, ...reply } = await sendForText(url, options);
  return { ...reply, body: text === '' ? undefined : JSON.parse(text) };
}

/** Sends a request as `send` does, and returns the content as text. */
export function sendForText(
  url: string,
  { method = 'GET', headers = [], body }: RequestOptions = {},
): Promise<Omit<Reply, 'body'> & { readonly text: string }> {
  const { host } = new URL(url);
  const hasId = headers.some((line) => /^x-request-id:/i.test(line));
  const all = [
    `Host: ${host}`,
    ...(hasId ? [] : [`X-Request-Id: ${requestId}`]),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent: false, setHost: false, headers: all.flatMap(fieldOf) },
      (incoming) => {
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
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** `fetch`, for responses that must conform to the OpenAPI document. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.clone().text();
  expectDocumented(init.method ?? 'GET', url, { status, headers: Object.fromEntries(headers), text });
  return response;
}

/** The name and the value of a line, which may begin or end with white space. */
function fieldOf(line: HeaderLine): [name: string, value: string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
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
