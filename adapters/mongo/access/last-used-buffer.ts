import type { Collection } from 'mongodb';
import type { AppKeyDocument } from './app-key-document.ts';

/** How long uses are gathered before they are written, in milliseconds. */
const gathering = 1000;

/** Writes the latest use of app keys behind the answers, each key at most once in a gathering. */
export class LastUsedBuffer {
  readonly #appKeys: Collection<AppKeyDocument>;
  #noted = new Map<string, Date>();
  #timer: NodeJS.Timeout | null = null;

  constructor(appKeys: Collection<AppKeyDocument>) {
    this.#appKeys = appKeys;
  }

  note(id: string, at: Date): void {
    const noted = this.#noted.get(id);
    if (noted === undefined || noted < at) this.#noted.set(id, at);
    this.#timer ??= setTimeout(() => void this.flush(), gathering).unref();
  }

  /** Writes what was noted. What the store does not take is lost: the next use, a minute later, is noted again. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const noted = this.#noted;
    this.#noted = new Map();
    if (noted.size === 0) return;
    const updates = [...noted].map(([id, lastUsedAt]) => ({
      updateOne: { filter: { id }, update: { $max: { lastUsedAt } } },
    }));
    await this.#appKeys.bulkWrite(updates, { ordered: false, writeConcern: { w: 1 } }).catch(() => {});
  }
}
