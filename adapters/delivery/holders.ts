import { readFileSync, readlinkSync } from 'node:fs';
import type { MonotonicClock } from '../../core/call.ts';

/** Milliseconds for which a process that was alive counts as alive. */
const trustTime = 500;

/**
 * Names this process among those that share the streams. On Linux the name says where the process runs, so that another
 * one there can tell that it has ended. `id` is random: it tells processes apart everywhere.
 */
export function holderName(id: string): string {
  const [place, start] = [placeHere(), startOf('self')];
  return place === null || start === null ? id : [id, ...place, process.pid, start].join(' ');
}

/** Knows which of the processes that hold streams have ended, as far as that is certain. */
export class Holders {
  readonly #clock: MonotonicClock;
  readonly #aliveUntil = new Map<string, number>();
  readonly #dead = new Set<string>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Reports whether a process has certainly ended: it ran on this machine, and no process there is the same. */
  isDead(name: string): boolean {
    if (this.#dead.has(name)) return true;
    if (this.#clock() < (this.#aliveUntil.get(name) ?? -Infinity)) return false;
    this.#aliveUntil.set(name, this.#clock() + trustTime);
    const [, boot, namespace, pid, start] = name.split(' ');
    if (pid === undefined || start === undefined) return false;
    const [bootHere, namespaceHere] = placeHere() ?? [];
    if (boot !== bootHere || namespace !== namespaceHere || isRunning(pid, start)) return false;
    this.#dead.add(name);
    return true;
  }
}

/** Reports whether a process may still run. Sandboxes hide those of other users in `/proc`, but not from signals. */
function isRunning(pid: string, start: string): boolean {
  try {
    process.kill(Number(pid), 0);
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ESRCH') return false;
  }
  return (startOf(pid) ?? start) === start;
}

/**
 * The boot of this machine, and the namespace in which its ids of processes are unique: containers have their own. Null
 * where `/proc` does not say so.
 */
function placeHere(): readonly [boot: string, namespace: string] | null {
  try {
    return [readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), readlinkSync('/proc/self/ns/pid')];
  } catch {
    return null;
  }
}

/** When a process was started, since the boot; null if `/proc` does not say so. */
function startOf(pid: string): string | null {
  try {
    // The name of the program, in brackets, may contain spaces.
    const [, fields = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return fields.split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
