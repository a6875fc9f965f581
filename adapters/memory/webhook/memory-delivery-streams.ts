import { compareCodePoints } from '../../../core/code-points.ts';
import type { DeliveryStream, StreamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { keyOf } from '../../../core/webhook/stream/lease.ts';
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

  async add(stream: DeliveryStream): Promise<'added' | 'exists'> {
    if (this.#store.streams.has(keyOf(stream))) return 'exists';
    this.#store.streams.set(keyOf(stream), stream);
    return 'added';
  }

  async change(next: DeliveryStream): Promise<'changed' | 'stale'> {
    if (this.#store.streams.get(keyOf(next))?.fence !== next.fence - 1) return 'stale';
    this.#store.streams.set(keyOf(next), next);
    return 'changed';
  }
}

function compareNames(a: StreamName, b: StreamName): number {
  return compareCodePoints(a.endpointId, b.endpointId) || compareCodePoints(a.productId, b.productId);
}
