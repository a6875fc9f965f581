/** A map that forgets an entry between one and two `lifetime`s (milliseconds) after it was set, at once and without timers. */
export class RecentMap<Value> {
  readonly #lifetime: number;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #turn: number;

  constructor(lifetime: number) {
    this.#lifetime = lifetime;
    this.#turn = performance.now() + lifetime;
  }

  get(key: string): Value | undefined {
    this.#forget();
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: Value): void {
    this.#forget();
    this.#recent.set(key, value);
  }

  #forget(): void {
    const now = performance.now();
    if (now < this.#turn) return;
    const isNext = now < this.#turn + this.#lifetime;
    this.#older = isNext ? this.#recent : new Map();
    this.#recent = new Map();
    this.#turn = (isNext ? this.#turn : now) + this.#lifetime;
  }
}
