import type { NewCall } from '../../call.ts';
import type { Events } from '../../feed/events.port.ts';

/** Products that are looked up together: about 3 ms of the process's time. */
const sliceSize = 500;

/** The last positions of any number of products. Those with an empty log are absent. */
export async function everyLastPosition(
  events: Pick<Events, 'lastPositions'>,
  productIds: readonly string[],
  newCall: NewCall,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < productIds.length; from += sliceSize) {
    const slice = await events.lastPositions(productIds.slice(from, from + sliceSize), newCall());
    for (const [productId, last] of slice) found.set(productId, last);
  }
  return found;
}
