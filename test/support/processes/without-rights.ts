import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Runs the work without the rights of root, also if root runs the tests. */
export async function withoutRights<T>(work: () => Promise<T>): Promise<T> {
  const giveBack = giveUpRights();
  try {
    return await work();
  } finally {
    giveBack();
  }
}

/**
 * A place for temporary files that can be reached without the rights of root, as root's own temporary folder may not be.
 * Throws where there is no such place, because the tests could pass for the wrong reason.
 */
export function reachablePlace(): string {
  const place = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find(isReachable);
  if (place !== undefined) return place;
  throw new Error('No temporary folder can be entered without the rights of root. Set TMPDIR to one that can.');
}

function isReachable(place: string): boolean {
  const giveBack = giveUpRights();
  try {
    // Not access(), which asks for the rights of the real user.
    return statSync(`${place}/.`, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  } finally {
    giveBack();
  }
}

/** Returns what undoes it. */
function giveUpRights(): () => void {
  if (process.geteuid?.() !== 0) return () => undefined;
  process.seteuid?.('nobody');
  return () => process.seteuid?.(0);
}
