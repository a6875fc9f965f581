import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `webhook_endpoints`: an endpoint under its id. */
export type EndpointDocument = { readonly _id: string } & Omit<WebhookEndpoint, 'id'>;

export function toEndpointDocument({ id, ...facts }: WebhookEndpoint): EndpointDocument {
  return { _id: id, ...facts };
}

export function fromEndpointDocument({ _id, ...facts }: EndpointDocument): WebhookEndpoint {
  return { id: _id, ...facts };
}

export class MongoWebhookEndpoints implements WebhookEndpoints {
  readonly #database: MongoDatabase;
  readonly #endpoints: Collection<EndpointDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#endpoints = database.collection('webhook_endpoints');
  }

  async find(id: string, call: Call): Promise<WebhookEndpoint | null> {
    const query = { filter: { _id: id }, limit: 1 };
    const [document] = await this.#database.find<EndpointDocument>('webhook_endpoints', query, call);
    return document === undefined ? null : fromEndpointDocument(document);
  }

  async page(after: string | null, limit: number, call: Call): Promise<readonly WebhookEndpoint[]> {
    const query = { filter: { _id: { $gt: after ?? '' } }, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<EndpointDocument>('webhook_endpoints', query, call);
    return documents.map(fromEndpointDocument);
  }

  async add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'> {
    const isNew = await insertNew(this.#database, 'webhook_endpoints', toEndpointDocument(endpoint), call);
    return isNew ? 'added' : 'id taken';
  }

  async replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...facts } = toEndpointDocument(next);
    const filter = { _id, revision: next.revision - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#endpoints.replaceOne(filter, facts, { session }),
    );
    return { kind: modifiedCount > 0 ? 'replaced' : 'stale' };
  }

  async remove(id: string, call: Call): Promise<boolean> {
    const { deletedCount } = await this.#database.write(call, (session) =>
      this.#endpoints.deleteOne({ _id: id }, { session }),
    );
    return deletedCount > 0;
  }
}
