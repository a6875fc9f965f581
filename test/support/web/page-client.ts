import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A page as a browser receives it. */
export interface ReceivedPage {
  readonly status: number;
  /** By lower-case name; the lines of one field joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface PageRequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The `Accept` field of browsers. */
export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Asks for a page as a browser does. Redirects are not followed. */
export function getPage(
  url: string,
  { method = 'GET', headers = {}, body }: PageRequestOptions = {},
): Promise<ReceivedPage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedPage>();
  const outgoing = request(
    url,
    { method, agent: false, headers: { Accept: browserAccept, ...headers } },
    (incoming) => {
      received(incoming).then(resolve, reject);
    },
  );
  outgoing.on('error', reject).end(body);
  return promise;
}

/** Sends a form as a page of the service itself does. */
export function sendForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { Origin: new URL(url).origin },
): Promise<ReceivedPage> {
  const body = new URLSearchParams(fields).toString();
  const type = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return getPage(url, { method: 'POST', headers: { ...type, ...headers }, body });
}

async function received(incoming: IncomingMessage): Promise<ReceivedPage> {
  const bytes = await buffer(incoming);
  const headers = Object.fromEntries(
    Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  return { status: incoming.statusCode ?? 0, headers, bytes, text: bytes.toString() };
}

/** The status and the header fields of a page, without those that differ each time. */
export function lastingParts({ status, headers }: ReceivedPage): object {
  const lasting = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, headers: Object.fromEntries(lasting) };
}
