/** The ids of events that were seen: about 100 bytes of memory each. */
export class EventIds {
  /** By the last character of the id, because a set holds some 16 million texts at most. */
  readonly #parts = new Map<string, Set<string>>();

  /** Adds an id. Returns false if it was there already. */
  add(id: string): boolean {
    const end = id.slice(-1);
    const part = this.#parts.get(end) ?? new Set<string>();
    this.#parts.set(end, part);
    const { size } = part;
    return part.add(id).size > size;
  }
}
