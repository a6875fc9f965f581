import { constants } from 'node:os';
import { endProcess } from './service/process.ts';

const names = ['SIGTERM', 'SIGINT'] as const;

/** npm and terminals pass a signal on twice: a second one within this many milliseconds counts as the first. */
const sameSignal = 1000;

/** The interval at which a process that npx has started looks whether its parent still runs, in milliseconds. */
const parentInterval = 1000;

/**
 * Decides what SIGTERM and SIGINT do. A command that takes them over stops by itself, and a second signal ends it at once;
 * any other command ends at once, as a process without handlers does. SIGHUP ends every command but a server, which ignores
 * it, and the demo, which stops.
 */
export class StopSignals {
  readonly #stopping = new AbortController();
  readonly #early: readonly NodeJS.Signals[];
  #isTakenOver = false;
  #keepsHangup = false;
  #hasBegun = false;
  #first: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;

  /** `early` are the signals that the process got before. Its handlers go on to add SIGHUP, and so keep it from ending. */
  constructor(early: readonly NodeJS.Signals[]) {
    this.#early = early;
    for (const signal of names) process.on(signal, () => this.#receive(signal));
    for (const signal of early) if (signal !== 'SIGHUP') this.#receive(signal);
  }

  /**
   * Leaves the signals to the caller: the first one, which may have come before, aborts the returned signal, with its name
   * as the reason. With `ignore`, SIGHUP does nothing from then on, until the process has ended; with `stop` it is one of them.
   */
  takeOver({ hangup = 'end' }: { readonly hangup?: 'end' | 'ignore' | 'stop' } = {}): AbortSignal {
    if (!this.#isTakenOver) this.#watchParent();
    this.#isTakenOver = true;
    this.#keepsHangup ||= hangup !== 'end';
    if (hangup === 'stop') {
      process.on('SIGHUP', () => this.#receive('SIGHUP'));
      if (this.#early.includes('SIGHUP')) this.#receive('SIGHUP');
    }
    this.#settle();
    return this.#stopping.signal;
  }

  /** Says that the command has begun, so that a signal that it has not taken over ends the process. */
  commandHasBegun(): void {
    this.#hasBegun = true;
    if (!this.#keepsHangup) {
      process.removeAllListeners('SIGHUP');
      if (this.#early.includes('SIGHUP')) endBy('SIGHUP');
    }
    this.#settle();
  }

  /**
   * npx starts a shell, which ends at SIGTERM without passing it on: the end of that shell, or of npx where it has become the
   * program, counts as the signal. Nothing else is watched, because a parent that ends may mean to leave a server behind.
   */
  #watchParent(): void {
    if (process.env['npm_lifecycle_event'] !== 'npx') return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      this.#receive('SIGTERM');
    }, parentInterval).unref();
  }

  #receive(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (this.#first !== null && this.#isTakenOver && now - this.#first.at > sameSignal) void endProcess(1);
    this.#first ??= { signal, at: now };
    this.#settle();
  }

  #settle(): void {
    if (this.#first === null) return;
    if (this.#isTakenOver) this.#stopping.abort(this.#first.signal);
    else if (this.#hasBegun) endBy(this.#first.signal);
  }
}

/** Ends the process as the signal does without handlers, also as process 1 of a container, which it does not end. */
function endBy(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
