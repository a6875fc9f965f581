import type { Logger } from 'pino';
import { importPastedListings } from '../../../adapters/cli/import/pasted-listings.ts';
import type { ImportCsv } from '../../../adapters/web/console/frame/console-parts.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { changeLog } from '../../service/logger.ts';

/** Imports listings from the console as the command does, and logs an import as one change. */
export function importCsv({ dryRunOfListings, importListings }: Administration, log: Logger): ImportCsv {
  const logChange = changeLog(log);
  return async (csv, isDry, call) => {
    const { result, fault } = await importPastedListings(csv, isDry ? dryRunOfListings() : importListings, call);
    const { imported } = result;
    if (!isDry && imported > 0) logChange({ command: 'listing import', listings: imported }, call);
    if (fault === null) return { ...result, isCut: false };
    if (isDry || imported === 0) throw fault.error;
    log.error({ err: fault.error, correlationId: call.correlationId }, 'an import was cut off');
    return { ...result, isCut: true };
  };
}
