import type { CallOptions, Method } from '../request.ts';
import { pageOf, succeed, unusable, type Transport } from '../transport.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next: string | null; readonly hasMore: boolean };
}

/** The part of a list that is asked for. */
export interface PageQuery {
  /** The maximum number of items. */
  readonly limit?: number | undefined;
  /** The `next` of the page before, of the same list; absent for the first page. */
  readonly after?: string | undefined;
}

/** Writes a path, in which each value is encoded. */
export function pathWith(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}

/** The part that all resources share: requests, and the reading of their answers. */
export class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns one page of a list. */
  protected async pageOf<Answer>(path: string, query: object, options: CallOptions): Promise<Answer> {
    const { wait, ...rest }: { readonly wait?: number } = query;
    const request = { ...options, method: 'GET', path, query: rest, wait: wait ?? 0, needsKey: true } as const;
    return (await pageOf(this.#transport, request)) as unknown as Answer;
  }

  /** Returns the data of the answer. A body is sent as JSON. */
  protected async dataOf<Data>(method: Method, path: string, options: CallOptions, body?: object): Promise<Data> {
    const request = { ...options, method, path, needsKey: true, ...(body === undefined ? {} : { body }) };
    const { data } = await succeed(this.#transport, request);
    if (typeof data !== 'object' || data === null) throw unusable('The answer is not one of Latchkey');
    return data as Data;
  }
}

/** The items of all pages, one after another. */
export async function* itemsOf<Item>(
  after: string | undefined,
  read: (after: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor = after; ;) {
    const { data, meta } = await read(cursor);
    yield* data;
    if (!meta.hasMore || meta.next === null) return;
    cursor = meta.next;
  }
}
