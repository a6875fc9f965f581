import type { PlacedEvent } from '../feed/events.port.ts';

/** An event at its place in the log of a product, and when it was stored: its retention counts from then. */
export interface ArchivedEvent extends PlacedEvent {
  readonly productId: string;
  readonly storedAt: Date;
}

const positionDigits = 15;

/**
 * The product and the position as one text. No identifier contains a space or a lower character, so that the code-point
 * order of the texts is that of products, and of positions within a product.
 */
export function placeId(productId: string, position: number): string {
  return `${productId} ${String(position).padStart(positionDigits, '0')}`;
}

/** Reads what `placeId` has written. An empty text is before the first place. */
export function placeOf(id: string): { readonly productId: string; readonly position: number } {
  const [productId = '', position = '0'] = id.split(' ');
  return { productId, position: Number(position) };
}
