import type { ClientRequest } from './request.ts';
import { send, unusable, type Answer, type Transport } from './transport.ts';

/** Sends a request whose success says so: `success` is true. Throws a `LatchkeyError`. */
export async function succeed(transport: Transport, request: ClientRequest): Promise<Answer> {
  const answer = await send(transport, request);
  if (answer['success'] !== true) throw unusable('The answer is not one of Latchkey');
  return answer;
}

/** Sends a request and returns the `data` of its success. */
export async function dataOf(transport: Transport, request: ClientRequest): Promise<unknown> {
  const { data } = await succeed(transport, request);
  if (typeof data !== 'object' || data === null) throw unusable('The answer is not one of Latchkey');
  return data;
}
