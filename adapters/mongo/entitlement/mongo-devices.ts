import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { compareDevices, type Device } from '../../../core/device/device.ts';
import type { DevicePart, Devices, SeatChange } from '../../../core/device/devices.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import {
  deviceKey,
  fromDeviceFacts,
  movesWith,
  type DeviceDocument,
  type DeviceMove,
  type MovingEntitlement,
} from '../device/device-document.ts';
import { carryOut } from '../device/device-mover.ts';
import { oneOf } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { outboxWith } from '../event/event-document.ts';
import { toEntitlementDocument, type StoredEntitlement } from './entitlement-document.ts';

export class MongoDevices implements Devices {
  readonly #database: MongoDatabase;
  readonly #entitlements: Collection<StoredEntitlement>;
  readonly #devices: Collection<DeviceDocument>;
  readonly #onEvents: () => void;

  /** `onEvents` is called after a write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#database = database;
    this.#entitlements = database.collection('entitlements');
    this.#devices = database.collection('devices');
    this.#onEvents = onEvents;
  }

  async find(entitlementId: string, id: string, call: Call): Promise<Device | null> {
    const move = (await this.#moves([entitlementId], call)).get(entitlementId)?.get(id);
    if (move !== undefined) return move.put && fromDeviceFacts(id, move.put);
    const query = { filter: { _id: deviceKey(entitlementId, id), gone: null }, limit: 1 };
    const [document] = await this.#database.find<DeviceDocument>('devices', query, call);
    return document === undefined ? null : fromDeviceFacts(id, document);
  }

  async page(entitlementId: string, { after, limit }: DevicePart, call: Call): Promise<readonly Device[]> {
    const moves = (await this.#moves([entitlementId], call)).get(entitlementId) ?? new Map<string, DeviceMove>();
    const behind =
      after === null ? {} : { $or: [{ seen: { $gt: after.seenAt } }, { seen: after.seenAt, id: { $gt: after.id } }] };
    const stored = await this.#database.find<DeviceDocument>(
      'devices',
      { filter: { of: entitlementId, gone: null, ...behind }, sort: { seen: 1, id: 1 }, limit: limit + moves.size },
      call,
    );
    const moved = [...moves.values()].flatMap(({ id, put }) => (put === null ? [] : [fromDeviceFacts(id, put)]));
    const kept = stored.filter(({ id }) => !moves.has(id)).map((document) => fromDeviceFacts(document.id, document));
    const all = after === null ? moved : moved.filter((device) => compareDevices(device, { ...device, ...after }) > 0);
    return [...kept, ...all].toSorted(compareDevices).slice(0, limit);
  }

  async counts(entitlementIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>> {
    const moves = await this.#moves(entitlementIds, call);
    const counts = new Map<string, number>();
    const match = { of: { $in: [...entitlementIds] }, gone: null };
    const groups = await this.#database.read(call, (session) =>
      this.#devices
        .aggregate<{ readonly _id: string; readonly ids: readonly string[] }>(
          [{ $match: match }, { $group: { _id: '$of', ids: { $push: '$id' } } }],
          { session },
        )
        .toArray(),
    );
    const stored = new Map(groups.map(({ _id, ids }) => [_id, ids]));
    for (const of of entitlementIds) {
      const own = moves.get(of) ?? new Map<string, DeviceMove>();
      const kept = (stored.get(of) ?? []).filter((id) => !own.has(id)).length;
      counts.set(of, kept + [...own.values()].filter(({ put }) => put !== null).length);
    }
    return counts;
  }

  async replace(seen: Entitlement, next: Entitlement, change: SeatChange, call: Call): Promise<ReplaceOutcome> {
    const filter = { _id: seen.id, revision: seen.revision };
    const lists = { outbox: outboxWith(change.events, call.now), moves: movesWith(change, next.revision) };
    const document = { $literal: toEntitlementDocument(next) };
    const update = [{ $replaceWith: { $mergeObjects: ['$$ROOT', document, lists] } }];
    // Sent once: if the first attempt was applied, a second one would find another revision and report `stale`.
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#entitlements.updateOne(filter, update, { session }),
    );
    if (matchedCount === 0) return { kind: 'stale' };
    if (change.events.length > 0) this.#onEvents();
    await this.#carryOut(seen.id, call);
    return { kind: 'replaced' };
  }

  async note(entitlementId: string, device: Pick<Device, 'id' | 'name' | 'seenAt'>, call: Call): Promise<void> {
    const { id, name, seenAt: seen } = device;
    const filter = { _id: deviceKey(entitlementId, id), gone: null, seen: { $lte: seen } };
    await this.#database.write(call, (session) =>
      this.#devices.updateOne(filter, { $set: { name, seen } }, { session }),
    );
  }

  /** The write is done, and readers see it. Moves that are not carried out now are carried out by the relay. */
  async #carryOut(id: string, call: Call): Promise<void> {
    try {
      const query = { filter: { _id: id }, projection: { moves: 1 }, limit: 1 };
      await carryOut(this.#database, await this.#database.find<MovingEntitlement>('entitlements', query, call));
    } catch {
      // The relay reports a store that cannot be reached.
    }
  }

  /** The last move of each device that `devices` may not have yet, by entitlement. */
  async #moves(ids: readonly string[], call: Call): Promise<ReadonlyMap<string, ReadonlyMap<string, DeviceMove>>> {
    const query = { filter: { _id: oneOf(ids) }, projection: { moves: 1 }, limit: ids.length };
    const found = await this.#database.find<MovingEntitlement>('entitlements', query, call);
    return new Map(found.map(({ _id, moves = [] }) => [_id, new Map(moves.map((move) => [move.id, move]))]));
  }
}
