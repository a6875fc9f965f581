import { once } from 'node:events';
import { get, request, type Agent, type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { bearer, json } from '../../support/http/requests.ts';
import { claimsOf, kidOf } from '../../support/receipts/read-receipt.ts';
import type { WorkersProcess } from '../../support/workers/workers-process.ts';

/** The part of an answer that several tests look at. */
export interface Answer {
  readonly status: number;
}

const unknownLicense = '{"licenseKey":"one-that-nobody-has-been-given"}';

export function verify({ url }: WorkersProcess): Promise<Answer> {
  return send(`${url}/api/licenses/verify`, { method: 'POST', headers: [json], body: unknownLicense });
}

/**
 * Sends a verification without its content. Returns a function that sends the content and waits for the status, or the code
 * of the error.
 */
export async function beginVerify({ url }: WorkersProcess): Promise<() => Promise<number | string>> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': unknownLicense.length };
  const expecting = { ...headers, Expect: '100-continue' };
  const outgoing = request(`${url}/api/licenses/verify`, { method: 'POST', agent: false, headers: expecting });
  const ended = statusOfResponse(outgoing);
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return () => {
    // Its connection may be closed by now.
    outgoing.on('error', () => undefined).end(unknownLicense);
    return ended;
  };
}

/** The license key of `ent_1`, where the store has one. */
export const licenseKey = 'a-license-key-of-a-buyer-of-workers';

/** An answer with a receipt, if there is one, and the id of the key that has signed it. */
export interface ReceiptAnswer extends Answer {
  readonly kid?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

export async function askForReceipt({ url }: WorkersProcess): Promise<ReceiptAnswer> {
  const asked = { method: 'POST', headers: [json], body: JSON.stringify({ licenseKey }) };
  const { status, body } = await send(`${url}/api/licenses/receipt`, asked);
  return { status, ...receiptIn(body) };
}

/** The receipt in a body: its key, and its claims. */
export function receiptIn(body: unknown): Omit<ReceiptAnswer, 'status'> {
  const { data } = body as { readonly data?: { readonly receipt: string } };
  return data === undefined ? {} : { kid: kidOf(data.receipt), claims: claimsOf(data.receipt) };
}

export function join({ url }: WorkersProcess, number: number): Promise<Answer> {
  const body = JSON.stringify({ email: `nobody-${number}@example.com` });
  return send(`${url}/api/waitlist`, { method: 'POST', headers: [json], body });
}

export function read({ url }: WorkersProcess, key: string): Promise<Answer> {
  return send(`${url}/api/app-entitlements/ent_1`, { headers: [bearer(key)] });
}

export function guess({ url }: WorkersProcess, number: number): Promise<Answer> {
  const headers = [bearer(`svc_sk_live_guess-${number}`), 'X-Forwarded-For: 192.0.2.1'];
  return send(`${url}/api/app-entitlements/ent_1`, { headers });
}

export function countOf(wanted: number, answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === wanted).length;
}

/** The status of an answer, or the code of the error. */
export function statusOf(url: string, agent?: Agent, headers: OutgoingHttpHeaders = {}): Promise<number | string> {
  return statusOfResponse(get(url, { agent: agent ?? false, headers }));
}

async function statusOfResponse(outgoing: ClientRequest): Promise<number | string> {
  try {
    const [response] = await once(outgoing, 'response');
    await text(response);
    return response.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/**
 * The requests that a server has counted, of one operation if it is named, once they are at least so many: of a worker that
 * answers late, the server shows what it last knew.
 */
export function requestsOf(server: WorkersProcess, atLeast: number, operation?: string): Promise<number> {
  return eventually(
    () => countedBy(server, operation),
    (count) => count >= atLeast,
  );
}

async function countedBy({ adminUrl }: WorkersProcess, operation = '[^"]*'): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = new RegExp(`^latchkey_requests_total\\{.*operation="${operation}".*\\} (\\d+)$`, 'gm');
  const counts = [...metrics.matchAll(line)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}
