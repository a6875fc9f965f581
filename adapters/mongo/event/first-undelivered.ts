import type { Call } from '../../../core/call.ts';
import { keyOf, streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { EndpointDocument } from '../webhook/endpoint-document.ts';
import type { StreamDocument } from '../webhook/stream-document.ts';

/**
 * The first position in the log of a product that an endpoint has not got; infinite without endpoints. A product without
 * a stream is newer than the endpoint, which gets its whole log.
 */
export function firstUndelivered(database: MongoDatabase, productId: string, call: Call): Promise<number> {
  const endpoints = database.collection<EndpointDocument>('webhook_endpoints');
  const streams = database.collection<StreamDocument>('delivery_streams');
  const ofProduct = { productId: { $in: [productId, null] } };
  return database.read(call, async (session) => {
    const found = await endpoints.find(ofProduct, { projection: { _id: 1, addition: 1 }, session }).toArray();
    const ids = found.map(({ _id, addition }) => keyOf(streamName({ id: _id, addition }, productId)));
    const projection = { needed: 1 };
    const known = await streams.find({ _id: { $in: ids } }, { projection, session }).toArray();
    return known.length < ids.length ? 1 : Math.min(...known.map(({ needed }) => needed));
  });
}
