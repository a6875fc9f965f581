import type { Call } from '../../../core/call.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { keyOf, type DeliveryStream, type StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { noChanges, takenBack, type WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryDeliveryStreams implements DeliveryStreams {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(name: StreamName, _call: Call, aside: readonly string[] | 'all' = []): Promise<DeliveryStream | null> {
    const stream = this.#store.streams.get(keyOf(name));
    if (stream === undefined) return null;
    const rows = [...this.#rowsOf(name)].filter(([id]) => aside === 'all' || aside.includes(id));
    return takenBack(stream, new Map(rows));
  }

  async page({ endpointId, after, limit }: StreamPage): Promise<readonly DeliveryStream[]> {
    const all = [...this.#store.streams.values()].filter((one) => endpointId === null || one.endpointId === endpointId);
    const rest = all.filter((one) => after === null || compareNames(one, after) > 0);
    return rest.toSorted(compareNames).slice(0, limit);
  }

  async add(streams: readonly DeliveryStream[]): Promise<void> {
    for (const stream of streams) {
      if (!this.#store.streams.has(keyOf(stream))) this.#store.streams.set(keyOf(stream), stream);
    }
  }

  async replace(next: DeliveryStream, _call: Call, { all, put, remove } = noChanges): Promise<ReplaceOutcome> {
    if (this.#store.streams.get(keyOf(next))?.fence !== next.fence - 1) return { kind: 'stale' };
    this.#store.streams.set(keyOf(next), next);
    const rows = new Map(this.#rowsOf(next));
    for (const [id, row] of rows) {
      if (all?.kind === 'retry') rows.set(id, { ...row, attempt: 0, at: all.at });
      else if (all !== null && row.at === null) rows.delete(id);
    }
    for (const [id, row] of put) rows.set(id, row);
    for (const id of remove) rows.delete(id);
    this.#store.aside.set(keyOf(next), rows);
    return { kind: 'replaced' };
  }

  async next(name: StreamName, limit: number): Promise<ReadonlyMap<string, WaitingDelivery>> {
    const waiting = [...this.#rowsOf(name)].filter(([, { at }]) => at !== null);
    return new Map(waiting.toSorted(([, a], [, b]) => Number(a.at) - Number(b.at)).slice(0, limit));
  }

  async remove(names: readonly StreamName[]): Promise<void> {
    for (const name of names) {
      this.#store.streams.delete(keyOf(name));
      this.#store.aside.delete(keyOf(name));
    }
  }

  #rowsOf(name: StreamName): ReadonlyMap<string, WaitingDelivery> {
    return this.#store.aside.get(keyOf(name)) ?? new Map();
  }
}

function compareNames(a: StreamName, b: StreamName): number {
  return compareCodePoints(keyOf(a), keyOf(b));
}
