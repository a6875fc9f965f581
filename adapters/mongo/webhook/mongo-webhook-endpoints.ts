import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Reach } from '../../../core/reach.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import type { EndpointPart, WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import { insertNew, oneOf } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `webhook_endpoints`: an endpoint under its id. */
export type EndpointDocument = { readonly _id: string } & Omit<WebhookEndpoint, 'id' | 'isPublicOnly'> & {
    /** Absent from documents of release 0.1.0. */
    readonly isPublicOnly?: boolean;
  };

export function toEndpointDocument({ id, ...facts }: WebhookEndpoint): EndpointDocument {
  return { _id: id, ...facts };
}

export function fromEndpointDocument({ _id, isPublicOnly = false, ...facts }: EndpointDocument): WebhookEndpoint {
  return { id: _id, isPublicOnly, ...facts };
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

  async page({ products, after, limit }: EndpointPart, call: Call): Promise<readonly WebhookEndpoint[]> {
    if (products?.length === 0) return [];
    const filter = { ...(products !== null && { productId: oneOf(products) }), _id: { $gt: after ?? '' } };
    const query = { filter, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<EndpointDocument>('webhook_endpoints', query, call);
    return documents.map(fromEndpointDocument);
  }

  async add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'> {
    const isNew = await insertNew(this.#database, 'webhook_endpoints', toEndpointDocument(endpoint), call);
    return isNew ? 'added' : 'id taken';
  }

  async replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...facts } = toEndpointDocument(next);
    const filter = { _id, addition: next.addition, revision: next.revision - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#endpoints.replaceOne(filter, facts, { session }),
    );
    return { kind: modifiedCount > 0 ? 'replaced' : 'stale' };
  }

  async remove(id: string, products: Reach, call: Call): Promise<boolean> {
    const filter = { _id: id, ...(products !== null && { productId: { $in: [...products] } }) };
    const { deletedCount } = await this.#database.write(call, (session) =>
      this.#endpoints.deleteOne(filter, { session }),
    );
    return deletedCount > 0;
  }
}
