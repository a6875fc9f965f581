import type { Product } from '../../../core/product/products.port.ts';
import { table } from '../engine/table.ts';

/** A row of `products`. Instants are milliseconds since 1970. */
export interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export const productsTable = table<ProductRow>('products', { id: true, name: true, created_at: true });

export function toProductRow({ id, name, createdAt }: Product): ProductRow {
  return { id, name, created_at: createdAt.getTime() };
}

export function fromProductRow(row: ProductRow): Product {
  return { id: row.id, name: row.name, createdAt: new Date(row.created_at) };
}
