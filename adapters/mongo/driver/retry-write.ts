import { isTransient } from './errors.ts';

/** Sends a write that does the same however often it is carried out, and once more when it is unknown whether it was. */
export async function retryWrite<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return send();
  }
}
