import type { Logger } from 'pino';
import { importPastedListings } from '../../../adapters/cli/import/pasted-listings.ts';
import type { ImportCsv } from '../../../adapters/web/console/frame/console-parts.ts';
import { hiddenHostOf } from '../../../adapters/web/marketplace/tile.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import type { ImportListings } from '../../../core/catalog/administration/import-listings.ts';
import { changeLog } from '../../service/logger.ts';

/** Imports listings from the console as the command does, and logs an import as one change. */
export function importCsv(
  { dryRunOfListings, importListings }: Administration,
  imageHosts: readonly string[],
  log: Logger,
): ImportCsv {
  const logChange = changeLog(log);
  return async (csv, isDry, call) => {
    const hidden = new Set<string>();
    const importAll = notingHosts(isDry ? dryRunOfListings() : importListings, imageHosts, hidden);
    const { result: imports, fault } = await importPastedListings(csv, importAll, call);
    const result = { ...imports, hiddenHosts: [...hidden] };
    const { imported } = result;
    if (!isDry && imported > 0) logChange({ command: 'listing import', listings: imported }, call);
    if (fault === null) return { ...result, isCut: false };
    if (isDry || imported === 0) throw fault.error;
    log.error({ err: fault.error, correlationId: call.correlationId }, 'an import was cut off');
    return { ...result, isCut: true };
  };
}

/** Imports, and notes the hosts of pictures that the marketplace does not show. */
function notingHosts(importAll: ImportListings, shown: readonly string[], hidden: Set<string>): ImportListings {
  return async (drafts, call) => {
    const outcomes = await importAll(drafts, call);
    for (const [position, { imageUrl, pictureUrl }] of drafts.entries()) {
      if (outcomes[position] !== 'stored') continue;
      for (const address of [imageUrl, pictureUrl]) {
        const host = hiddenHostOf(address ?? '', shown);
        if (host !== null) hidden.add(host);
      }
    }
    return outcomes;
  };
}
