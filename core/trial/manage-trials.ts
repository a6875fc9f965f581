import type { Call, NewCall } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { removeInParts } from '../maintenance/remove-in-parts.ts';
import { cursorAt, instantIn, positionIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import { isRunning, maxTrial, shownTrial, type ShownTrial, type Trial } from './trial.ts';
import type { Trials } from './trials.port.ts';

export interface TrialFilter {
  readonly productId: string;
  /** Only the trials that became this entitlement; null for any. */
  readonly entitlementId: string | null;
}

/** Lists the trials of a product, the newest first. Refuses with `product_not_found` and `invalid_parameter`. */
export type ListTrials = (filter: TrialFilter, page: PageRequest, call: Call) => Promise<Page<ShownTrial>>;

export function listTrials(trials: Trials, products: Pick<Products, 'find'>): ListTrials {
  return async (filter, page, call) => {
    const list = ['trials', filter.productId, filter.entitlementId] as const;
    const after = page.after === null ? null : placeIn(positionIn(list, page.after));
    if ((await products.find(filter.productId, call)) === null) throw new Refusal('product_not_found');
    const found = await trials.page({ ...filter, after, limit: page.limit + 1 }, call);
    const shown = found.map((trial) => shownTrial(trial, call.now));
    return pageOf(shown, page, ({ id, startedAt }) => cursorAt(list, [startedAt.toISOString(), id]));
  };
}

function placeIn([at, id = '']: readonly [string, ...string[]]): Pick<Trial, 'id' | 'startedAt'> {
  return { id, startedAt: instantIn(at) };
}

/** Reads the trials of a product one after another, the newest first. Refuses with `product_not_found`. */
export type EveryTrial = (filter: TrialFilter, newCall: NewCall) => AsyncIterable<ShownTrial>;

export function everyTrial(trials: Trials, products: Pick<Products, 'find'>): EveryTrial {
  return async function* (filter, newCall) {
    if ((await products.find(filter.productId, newCall())) === null) throw new Refusal('product_not_found');
    const { now } = newCall();
    for await (const trial of walk<Trial>(
      (after, limit, call) => trials.page({ ...filter, after, limit }, call),
      newCall,
    )) {
      yield shownTrial(trial, now);
    }
  };
}

/** Reads a trial. Refuses with `trial_not_found`. */
export type ShowTrial = (id: string, call: Call) => Promise<ShownTrial>;

export function showTrial(trials: Trials): ShowTrial {
  return async (id, call) => shownTrial(await existing(trials, id, call), call.now);
}

/** Finds the trial that became an entitlement first, of those of its newest hundred devices; null for none. */
export type FindTrialBefore = (productId: string, entitlementId: string, call: Call) => Promise<ShownTrial | null>;

export function findTrialBefore(trials: Pick<Trials, 'page'>): FindTrialBefore {
  return async (productId, entitlementId, call) => {
    const found = await trials.page({ productId, entitlementId, after: null, limit: 100 }, call);
    const [first] = found.toSorted((a, b) => convertedAt(a) - convertedAt(b));
    return first === undefined ? null : shownTrial(first, call.now);
  };
}

function convertedAt({ converted }: Trial): number {
  return converted?.at.getTime() ?? 0;
}

/** The trial as a change leaves it, and whether it has changed. */
export interface ChangedTrial {
  readonly trial: ShownTrial;
  readonly changed: boolean;
}

/**
 * Lets a trial end at another instant, whether it has ended or not. Refuses with `trial_not_found`, with `trial_too_long`
 * for an end more than 90 days from now, and with `changed_meanwhile`.
 */
export type ExtendTrial = (id: string, endsAt: Date, call: Call) => Promise<ChangedTrial>;

export function extendTrial(trials: Trials): ExtendTrial {
  return (id, endsAt, call) => {
    // A whole second, as receipts have it.
    const end = new Date(Math.floor(endsAt.getTime() / 1000) * 1000);
    return endAt(trials, id, call, () => {
      if (end.getTime() - call.now.getTime() > maxTrial) throw new Refusal('trial_too_long');
      return end;
    });
  };
}

/** Ends a trial now. One that has ended stays as it is. Refuses with `trial_not_found` and `changed_meanwhile`. */
export type EndTrial = (id: string, call: Call) => Promise<ChangedTrial>;

export function endTrial(trials: Trials): EndTrial {
  return (id, call) => endAt(trials, id, call, (trial) => (isRunning(trial, call.now) ? call.now : trial.endsAt));
}

function endAt(trials: Trials, id: string, call: Call, endOf: (trial: Trial) => Date): Promise<ChangedTrial> {
  return untilStored(call, async () => {
    const trial = await existing(trials, id, call);
    const endsAt = endOf(trial);
    if (endsAt.getTime() === trial.endsAt.getTime()) return { trial: shownTrial(trial, call.now), changed: false };
    const next = { ...trial, endsAt, revision: trial.revision + 1 };
    if ((await trials.replace(next, call)).kind === 'stale') return 'stale';
    return { trial: shownTrial(next, call.now), changed: true };
  });
}

async function existing(trials: Trials, id: string, call: Call): Promise<Trial> {
  const trial = await trials.find(id, call);
  if (trial === null) throw new Refusal('trial_not_found');
  return trial;
}

/** Removes trials that ended over `retention` milliseconds ago, in parts. Their devices may try the product again. */
export type PruneTrials = (retention: number, newCall: NewCall) => Promise<number>;

export function pruneTrials(trials: Pick<Trials, 'prune'>): PruneTrials {
  return (retention, newCall) =>
    removeInParts((call) => trials.prune(new Date(call.now.getTime() - retention), call), newCall);
}
