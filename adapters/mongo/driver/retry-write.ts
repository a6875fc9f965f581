import { isPassing } from './errors.ts';

/** Sends a write that does the same however often it is carried out, and once more when it is unknown whether it was. */
export async function sendTwice<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isPassing(error)) throw error;
    return send();
  }
}
