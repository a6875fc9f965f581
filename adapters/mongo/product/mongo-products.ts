import type { Call } from '../../../core/call.ts';
import type { Product } from '../../../core/product/product.ts';
import type { Products } from '../../../core/product/products.port.ts';
import { retryRead } from '../driver/retry-read.ts';
import { within } from '../driver/deadline.ts';
import { duplicateField } from '../driver/errors.ts';
import type { MongoStore, ProductDocument } from '../driver/mongo-store.ts';

export class MongoProducts implements Products {
  readonly #store: MongoStore;

  constructor(store: MongoStore) {
    this.#store = store;
  }

  async find(id: string, call: Call): Promise<Product | null> {
    const document = await within(
      call,
      retryRead(() => this.#store.products.findOne({ _id: id })),
    );
    return document === null ? null : fromDocument(document);
  }

  async list(call: Call): Promise<readonly Product[]> {
    const documents = await within(
      call,
      retryRead(() => this.#store.products.find().sort({ _id: 1 }).toArray()),
    );
    return documents.map(fromDocument);
  }

  async add({ id, ...facts }: Product, call: Call): Promise<'added' | 'id taken'> {
    const insert = this.#store.products.insertOne({ _id: id, ...facts }).then(
      () => 'added' as const,
      (error: unknown) => {
        if (duplicateField(error) === null) throw error;
        return 'id taken' as const;
      },
    );
    return within(call, insert);
  }
}

function fromDocument({ _id, name, createdAt }: ProductDocument): Product {
  return { id: _id, name, createdAt };
}
