import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { keyOf, type DeliveryStream, type StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryDeliveryStreams implements DeliveryStreams {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(name: StreamName): Promise<DeliveryStream | null> {
    return this.#store.streams.get(keyOf(name)) ?? null;
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

  async replace(next: DeliveryStream): Promise<ReplaceOutcome> {
    if (this.#store.streams.get(keyOf(next))?.fence !== next.fence - 1) return { kind: 'stale' };
    this.#store.streams.set(keyOf(next), next);
    return { kind: 'replaced' };
  }

  async remove(names: readonly StreamName[]): Promise<void> {
    for (const name of names) this.#store.streams.delete(keyOf(name));
  }
}

function compareNames(a: StreamName, b: StreamName): number {
  return compareCodePoints(keyOf(a), keyOf(b));
}
