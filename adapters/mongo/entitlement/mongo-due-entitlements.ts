import { MongoServerError, type Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ClockChange, DueEntitlements } from '../../../core/entitlement/event/due-entitlements.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { outboxWith } from '../event/event-document.ts';
import { fromEntitlementDocument, withoutLists, type EntitlementDocument } from './entitlement-document.ts';

export class MongoDueEntitlements implements DueEntitlements {
  readonly #database: MongoDatabase;

  readonly #onEvents: () => void;

  /** `onEvents` is called after a write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#onEvents = onEvents;
    this.#database = database;
  }

  due(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]> {
    // Without the type, the server would not use the index, which has dates only. The next query has its whole condition.
    return this.#first({ nextEventAt: { $type: 'date', $lte: until } }, { nextEventAt: 1 }, limit, call);
  }

  ending(until: Date, limit: number, call: Call): Promise<readonly Entitlement[]> {
    const filter = { untoldEnd: { $type: 'date', $lte: until }, 'hold.kind': 'none' };
    return this.#first(filter, { untoldEnd: 1 }, limit, call);
  }

  async #first(filter: Document, sort: Document, limit: number, call: Call): Promise<readonly Entitlement[]> {
    const query = { filter, projection: withoutLists, sort, limit };
    const documents = await this.#database.find<EntitlementDocument>('entitlements', query, call);
    return documents.map(fromEntitlementDocument);
  }

  /** One command, in which each statement is atomic. */
  async replace(changes: readonly ClockChange[], call: Call): Promise<number> {
    if (changes.length === 0) return 0;
    const updates = changes.map(({ seen, next, events }) => ({
      q: { _id: seen.id, revision: seen.revision },
      u: [
        {
          $set: {
            revision: next.revision,
            sequence: next.sequence,
            nextEventAt: { $literal: next.nextEventAt },
            untoldEnd: { $literal: next.unannouncedEnd },
            outbox: outboxWith(events, call.now),
          },
        },
      ],
    }));
    // Sent once: if the first attempt was applied, a second one would report too few changes.
    const reply = await this.#database.writeOnce(call, () =>
      this.#database.writeCommand({ update: 'entitlements', updates, ordered: false }),
    );
    this.#onEvents();
    const [error] = reply['writeErrors'] ?? [];
    if (error !== undefined) throw new MongoServerError(error);
    return reply['n'];
  }
}
