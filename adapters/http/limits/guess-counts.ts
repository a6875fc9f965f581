import { windowLength } from './request-windows.ts';

/** Refused keys that one client address may present in a window. */
export const maxGuesses = 20;

/** Claims of checkout sessions that one client address may have asked about in a window. */
const maxClaims = 30;

/** Unknown links that one client address may ask for in a window. */
const maxLinks = 30;

/** Mails of one kind that one client address may ask for in a window. */
const maxAsked = 10;

const claims = 'claims of ';
const askedPrefix = 'mails asked by ';
const linksPrefix = 'links of ';

/** The subject under which the claims of an address are counted, apart from its keys. */
export function claimsOf(address: string): string {
  return claims + address;
}

/** The subject under which the license keys that an address asks pages about are counted, apart from everything else. */
export function licenseKeysOf(address: string): string {
  return `license keys of ${address}`;
}

/** The subject under which the unknown links that an address asks for are counted. */
export function linksOf(address: string): string {
  return linksPrefix + address;
}

/** The mails for which anybody can ask: of lost keys, and of the link of an affiliate. */
export type AskedMail = 'lost keys' | 'affiliate link';

/** The subject under which the requests of an address for such mails are counted, those of each kind apart. */
export function mailsAskedBy(address: string, what: AskedMail): string {
  return `${askedPrefix}${address}: ${what}`;
}

/** The subject under which the new trials of an address are counted. */
export function trialsOf(address: string): string {
  return `trials of ${address}`;
}

function maxOf(subject: string): number {
  if (subject.startsWith(askedPrefix)) return maxAsked;
  if (subject.startsWith(linksPrefix)) return maxLinks;
  return subject.startsWith(claims) ? maxClaims : maxGuesses;
}

/** The look-ups of one client address. */
interface Guesses {
  /** Keys that were refused since the window began. */
  refused: number;
  /** Keys that are being looked up, each of which may be refused. */
  pending: number;
  /** When the window ends, in milliseconds of the monotonic clock; null before the first key is refused. */
  windowEnd: number | null;
  /** Requests that wait until it is known whether the pending keys are refused. */
  readonly waiting: (() => void)[];
}

/**
 * Counts the guesses of each client address. A guess counts from the start of its look-up, so that parallel requests cannot
 * guess more; requests above the limit wait while keys are pending, because those may be valid, and many servers share one
 * address.
 */
export class GuessCounts {
  readonly #byAddress = new Map<string, Guesses>();

  /** The milliseconds until the address may guess again; null if it has a guess left. */
  spent(address: string): number | null {
    const guesses = this.#byAddress.get(address);
    return guesses !== undefined && guesses.refused >= maxOf(address) ? restOf(guesses) : null;
  }

  /** Waits until it is known whether a guess is left. Takes it and returns null, or returns the milliseconds until the next. */
  async take(address: string): Promise<number | null> {
    let guesses = this.#guessesOf(address);
    while (guesses.refused + guesses.pending >= maxOf(address)) {
      if (guesses.refused >= maxOf(address)) return restOf(guesses);
      const { promise, resolve } = Promise.withResolvers<void>();
      guesses.waiting.push(resolve);
      await promise;
      guesses = this.#guessesOf(address); // forgotten meanwhile, if nothing was refused or pending
    }
    guesses.pending += 1;
    return null;
  }

  /** Ends a guess that was taken, and counts it if its key was refused. */
  end(address: string, isRefused: boolean): void {
    const guesses = this.#guessesOf(address);
    if (isRefused) this.#countRefused(address, guesses);
    guesses.pending -= 1;
    wake(guesses);
    this.#forgetIfUnused(address, guesses);
  }

  #guessesOf(address: string): Guesses {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const guesses = { refused: 0, pending: 0, windowEnd: null, waiting: [] };
    this.#byAddress.set(address, guesses);
    return guesses;
  }

  #countRefused(address: string, guesses: Guesses): void {
    guesses.refused += 1;
    if (guesses.windowEnd !== null) return;
    guesses.windowEnd = performance.now() + windowLength;
    const endWindow = (): void => {
      Object.assign(guesses, { refused: 0, windowEnd: null });
      wake(guesses);
      this.#forgetIfUnused(address, guesses);
    };
    setTimeout(endWindow, windowLength).unref();
  }

  #forgetIfUnused(address: string, { refused, pending, waiting }: Guesses): void {
    if (refused + pending + waiting.length === 0) this.#byAddress.delete(address);
  }
}

/** Lets every waiting request look again: how many may go on depends on why it was woken. */
function wake({ waiting }: Guesses): void {
  for (const resume of waiting.splice(0)) resume();
}

/** Milliseconds until the window ends. */
function restOf({ windowEnd }: Guesses): number {
  return (windowEnd ?? performance.now()) - performance.now();
}
