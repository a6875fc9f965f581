import type { Call } from '../../../../core/call.ts';
import type { Overview, ShowOverview } from '../../../../core/overview/show-overview.ts';

const maxAge = 60_000;

/** Reads the overview at most once a minute, for all who look at it. A failure is not kept. */
export function keptOverview(read: ShowOverview): ShowOverview {
  let kept: { readonly at: Date; readonly overview: Promise<Overview> } | null = null;
  return (call: Call) => {
    const age = kept === null ? Infinity : Math.abs(call.now.getTime() - kept.at.getTime());
    if (kept !== null && age < maxAge) return kept.overview;
    const overview = read(call);
    const own = { at: call.now, overview };
    kept = own;
    overview.catch(() => {
      if (kept === own) kept = null;
    });
    return overview;
  };
}
