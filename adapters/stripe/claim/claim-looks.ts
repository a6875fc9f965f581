import type { Call } from '../../../core/call.ts';
import type { Look, LookAt } from '../look/look.ts';

/** Milliseconds for which the answer of a look is kept. */
const keptTime = 5000;

interface Kept {
  /** Null if the request that began the look was not admitted. */
  readonly answer: Promise<Look | null>;
  /** When it was answered, by the monotonic clock and by that of the service; null before. */
  answered: { readonly monotonic: number; readonly now: Date } | null;
}

/**
 * Makes looks at a session that does not ask Stripe more often than claims need: one at a time for a session, whose
 * answer is kept for five seconds. `admit` is called before Stripe is asked and refuses those who may not; others who wait
 * for the same session try for themselves then. A failure is not kept.
 */
export type LookForClaim = (sessionId: string, call: Call, admit: () => Promise<void>) => Promise<Look>;

export function lookForClaims(look: LookAt): LookForClaim {
  const kept = new Map<string, Kept>();

  async function begin(sessionId: string, call: Call, admit: () => Promise<void>): Promise<Look> {
    const admission = admit();
    const own = admission.then(() => look(sessionId, call));
    const entry: Kept = {
      answer: admission.then(
        () => own,
        () => null,
      ),
      answered: null,
    };
    kept.set(sessionId, entry);
    entry.answer.catch(() => undefined); // nobody else may wait for it
    try {
      const answer = await own;
      entry.answered = { monotonic: performance.now(), now: call.now };
      return answer;
    } catch (error) {
      kept.delete(sessionId);
      throw error;
    }
  }

  return async (sessionId, call, admit) => {
    for (;;) {
      for (const [id, { answered }] of kept) if (isOver(answered, call.now)) kept.delete(id);
      const running = kept.get(sessionId);
      if (running === undefined) return begin(sessionId, call, admit);
      const answer = await running.answer;
      if (answer !== null) return answer;
    }
  };
}

/** The clock of the service may be set, and that of a test stands still: either of both ends the time. */
function isOver(answered: Kept['answered'], now: Date): boolean {
  if (answered === null) return false;
  const elapsed = now.getTime() - answered.now.getTime();
  return performance.now() - answered.monotonic >= keptTime || elapsed >= keptTime || elapsed < 0;
}
