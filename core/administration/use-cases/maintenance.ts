import { pruneBuyerLinks } from '../../buyer/manage-links.ts';
import { checkStore } from '../../check/check-store.ts';
import { acceptClock, checkClock } from '../../clock/check-clock.ts';
import { pruneEvents } from '../../feed/prune-events.ts';
import { backUpStore, pruneStore } from '../../maintenance/maintain-store.ts';
import { pruneOperatorSessions } from '../../operator-session/operator-sessions.ts';
import { showOverview } from '../../overview/show-overview.ts';
import { findTroubledEndpoints } from '../../overview/troubled-endpoints.ts';
import { parkOld } from '../../receiver/park-old.ts';
import { allowedWhere, ofProducts, ofService, together } from '../../tenant/limits.ts';
import { pruneTrials } from '../../trial/manage-trials.ts';
import { ownReceivers } from './own-receivers.ts';
import type { Parts } from './parts.ts';

/** The store as a whole: its checks, its clock, what is pruned, and the overview. */
export function maintenanceOf({ ports, platform }: Parts) {
  const { buyerLinks, clockMarks, events, listSizes, maintenance, operatorSessions, products, trials } = ports;
  return together(
    ofService({
      acceptClock: acceptClock(clockMarks, parkOld(ownReceivers, ports)),
      checkClock: checkClock(clockMarks),
      checkStore: checkStore(ports, platform.digest, platform.publicPartOf),
      backUpStore: backUpStore(maintenance),
      pruneStore: pruneStore(maintenance),
      pruneEvents: pruneEvents(events, products),
      pruneBuyerLinks: pruneBuyerLinks(buyerLinks),
      pruneOperatorSessions: pruneOperatorSessions(operatorSessions),
      pruneTrials: pruneTrials(trials),
    }),
    ofProducts({
      countList: allowedWhere(listSizes.count.bind(listSizes), (_mine, { kind }) => kind !== 'waitlist'),
      showOverview: showOverview(ports),
      findTroubledEndpoints: findTroubledEndpoints.bind(null, ports),
    }),
  );
}
