import { Refusal, type RefusalCode, type RefusalDetails } from '../../core/refusal.ts';

/** Returns the error that the work throws. Fails the test if it throws none. */
export async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Returns the code and the details of the refusal that the work throws. A fault is thrown on. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: RefusalCode; details: RefusalDetails }> {
  const error = await thrownBy(work);
  if (!(error instanceof Refusal)) throw error;
  return { code: error.code, details: error.details };
}
