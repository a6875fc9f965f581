import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Device } from '../../../core/device/device.ts';
import type { DevicePart, Devices, SeatChange } from '../../../core/device/devices.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertValuesInto, mapOrNull, selectFrom, valuesOf } from '../engine/table.ts';
import { toEntitlementRow } from '../entitlement/entitlement-row.ts';
import { EntitlementUpdates } from '../entitlement/sqlite-entitlements.ts';
import type { EventLog } from '../event/event-log.ts';
import { devicesTable, fromDeviceRow, toDeviceRow, type DeviceRow } from './device-row.ts';

export class SqliteDevices implements Devices {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string, string], DeviceRow>;
  readonly #page: Statement<[string, number, string, number], DeviceRow>;
  readonly #count: Statement<[string], number>;
  readonly #put: Statement;
  readonly #delete: Statement<[string, string]>;
  readonly #note: Statement<[string | null, number, string, string, number]>;
  readonly #updates: EntitlementUpdates;
  readonly #log: EventLog;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    const select = selectFrom(devicesTable);
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE entitlement_id = ? AND id = ?`);
    this.#page = connection.prepare(
      `${select} WHERE entitlement_id = ? AND (seen_at, id) > (?, ?) ORDER BY seen_at, id LIMIT ?`,
    );
    this.#count = connection.prepare<[string], number>('SELECT count(*) FROM devices WHERE entitlement_id = ?').pluck();
    this.#put = connection.prepare(insertValuesInto(devicesTable, 'INSERT OR REPLACE'));
    this.#delete = connection.prepare('DELETE FROM devices WHERE entitlement_id = ? AND id = ?');
    this.#note = connection.prepare(
      'UPDATE devices SET name = ?, seen_at = ? WHERE entitlement_id = ? AND id = ? AND seen_at <= ?',
    );
    this.#updates = new EntitlementUpdates(database);
    this.#log = log;
  }

  find(entitlementId: string, id: string, call: Call): Promise<Device | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(entitlementId, id), fromDeviceRow));
  }

  page(entitlementId: string, { after, limit }: DevicePart, call: Call): Promise<readonly Device[]> {
    const from = [after?.seenAt.getTime() ?? Number.MIN_SAFE_INTEGER, after?.id ?? ''] as const;
    return this.#database.read(call, () => this.#page.all(entitlementId, ...from, limit).map(fromDeviceRow));
  }

  counts(entitlementIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>> {
    return this.#database.read(call, () => new Map(entitlementIds.map((id) => [id, this.#count.get(id) ?? 0])));
  }

  replace(seen: Entitlement, next: Entitlement, change: SeatChange, call: Call): Promise<ReplaceOutcome> {
    const { gone, put, events } = change;
    const [row, nextRow] = [toEntitlementRow(seen), toEntitlementRow(next)];
    return this.#database.write(call, () => {
      if (!this.#updates.replace(row, nextRow, '')) return { kind: 'stale' };
      for (const id of gone) this.#delete.run(seen.id, id);
      for (const device of put) this.#put.run(...valuesOf(devicesTable, toDeviceRow(seen.id, device)));
      this.#log.append(seen.productId, events, call.now);
      return { kind: 'replaced' };
    });
  }

  note(entitlementId: string, device: Pick<Device, 'id' | 'name' | 'seenAt'>, call: Call): Promise<void> {
    const { id, name } = device;
    const seenAt = device.seenAt.getTime();
    return this.#database.write(call, () => {
      this.#note.run(name, seenAt, entitlementId, id, seenAt);
    });
  }
}
