import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { cursorAt } from '../../../core/paging/cursor.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  endTrial,
  everyTrial,
  extendTrial,
  findTrialBefore,
  listTrials,
  pruneTrials,
  showTrial,
  type TrialFilter,
} from '../../../core/trial/manage-trials.ts';
import { isRunning, type Trial } from '../../../core/trial/trial.ts';
import { aCall, aProduct, aTrial, day, hour, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

const { id } = aTrial();
const of: TrialFilter = { productId: 'prod_1', entitlementId: null };

/** The id of a trial by its number. */
function numbered(number: number): string {
  return `trial_${String(number).padStart(22, '0')}`;
}

function converted(at: Date): Trial['converted'] {
  return { at, entitlementId: 'ent_1' };
}

describe('the administration of trials', () => {
  let ports: StorePorts;
  beforeEach(async () => {
    ({ ports } = openMemoryStore(retentionFor(defaultTtl)));
    await ports.products.put(aProduct(), aCall());
  });

  const add = (overrides: Partial<Trial> = {}): Promise<void> => ports.trials.add(aTrial(overrides), aCall());
  const stored = (): Promise<Trial | null> => ports.trials.find(id, aCall());

  it('lists the trials of a product page by page, the newest first', async () => {
    for (const number of range(5)) await add({ id: numbered(number), startedAt: later(Math.floor(number / 2) * hour) });
    await add({ id: numbered(9), productId: 'prod_2' });
    const list = listTrials(ports.trials, ports.products);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await list(of, { after, limit: 2 }, aCall());
      expect(page.items.map(({ status }) => status)).to.deep.equal(page.items.map(() => 'running'));
      seen.push(...page.items.map((trial) => trial.id));
      after = page.next;
    } while (after !== null);
    expect(seen).to.deep.equal([4, 3, 2, 1, 0].map(numbered));
    const { next } = await list(of, { after: null, limit: 2 }, aCall());
    expect(
      (await refusalOf(list({ ...of, entitlementId: 'ent_1' }, { after: next, limit: 2 }, aCall()))).code,
    ).to.equal('invalid_parameter');
    const nowhere = cursorAt(['trials', 'prod_1', null], ['yesterday', numbered(1)]);
    expect((await refusalOf(list(of, { after: nowhere, limit: 2 }, aCall()))).code).to.equal('invalid_parameter');
  });

  it('reads all of them one after another', async () => {
    for (const number of range(3)) await add({ id: numbered(number), startedAt: later(number) });
    const every = everyTrial(ports.trials, ports.products);
    const seen = await Array.fromAsync(every(of, () => aCall({ now: later(20 * day) })));
    expect(seen.map(({ id: each, status }) => [each, status])).to.deep.equal(
      [2, 1, 0].map((number) => [numbered(number), 'ended']),
    );
  });

  it('knows no trials of an unknown product', async () => {
    const unknown = { productId: 'none', entitlementId: null };
    const list = listTrials(ports.trials, ports.products)(unknown, { after: null, limit: 1 }, aCall());
    expect((await refusalOf(list)).code).to.equal('product_not_found');
    const every = Array.fromAsync(everyTrial(ports.trials, ports.products)(unknown, () => aCall()));
    expect((await refusalOf(every)).code).to.equal('product_not_found');
  });

  it('shows whether a trial runs, has ended or was converted', async () => {
    await add();
    const show = showTrial(ports.trials);
    const at = (now: Date) => show(id, aCall({ now }));
    expect(await at(later(14 * day - 1))).to.deep.equal({ ...aTrial(), status: 'running' });
    expect(await at(later(14 * day))).to.include({ status: 'ended' });
    await ports.trials.replace(aTrial({ converted: converted(noon), revision: 2 }), aCall());
    expect(await at(later(14 * day))).to.include({ status: 'converted' });
    expect((await refusalOf(show(numbered(7), aCall()))).code).to.equal('trial_not_found');
    expect(isRunning(aTrial({ endsAt: noon }), noon)).to.equal(false);
  });

  it('finds the trial that became an entitlement first', async () => {
    await add({ id: numbered(1), startedAt: later(1), converted: converted(later(3 * hour)) });
    await add({ id: numbered(2), startedAt: later(2), converted: converted(later(hour)) });
    await add({ id: numbered(3), startedAt: later(3), converted: converted(later(2 * hour)) });
    const find = findTrialBefore(ports.trials);
    expect(await find('prod_1', 'ent_1', aCall())).to.include({ id: numbered(2), status: 'converted' });
    expect(await find('prod_1', 'ent_2', aCall())).to.equal(null);
  });

  it('moves the end, cut to whole seconds, of one that has ended too, and once', async () => {
    await add();
    const extend = extendTrial(ports.trials);
    const now = later(20 * day);
    const changed = await extend(id, later(30 * day + 999), aCall({ now }));
    expect(changed).to.deep.equal({
      trial: { ...aTrial({ endsAt: later(30 * day), revision: 2 }), status: 'running' },
      changed: true,
    });
    expect(await extend(id, later(30 * day), aCall({ now }))).to.deep.equal({ ...changed, changed: false });
    expect(await stored()).to.deep.equal(aTrial({ endsAt: later(30 * day), revision: 2 }));
    await extend(id, later(110 * day), aCall({ now }));
    const tooLong = extend(id, later(110 * day + 1000), aCall({ now }));
    expect((await refusalOf(tooLong)).code).to.equal('trial_too_long');
    expect((await refusalOf(extend(numbered(7), later(day), aCall()))).code).to.equal('trial_not_found');
    expect(await stored()).to.deep.equal(aTrial({ endsAt: later(110 * day), revision: 3 }));
  });

  it('ends one now, and leaves one that has ended as it is', async () => {
    await add();
    const end = endTrial(ports.trials);
    const ended = await end(id, aCall({ now: later(day) }));
    const trial = aTrial({ endsAt: later(day), revision: 2 });
    expect(ended).to.deep.equal({ trial: { ...trial, status: 'ended' }, changed: true });
    expect(await end(id, aCall({ now: later(2 * day) }))).to.deep.include({ changed: false });
    expect(await stored()).to.deep.equal(trial);
  });

  it('reads again where another has written first', async () => {
    await add();
    let raceIsOver = false;
    const raced = {
      ...ports.trials,
      find: ports.trials.find.bind(ports.trials),
      replace: async (next: Trial, call = aCall()) => {
        const noted = aTrial({ converted: converted(noon), revision: 2 });
        if (!raceIsOver) await ports.trials.replace(noted, call);
        raceIsOver = true;
        return ports.trials.replace(next, call);
      },
      page: ports.trials.page.bind(ports.trials),
      add: ports.trials.add.bind(ports.trials),
      prune: ports.trials.prune.bind(ports.trials),
    };
    await endTrial(raced)(id, aCall({ now: later(day) }));
    const { converted: kept, endsAt, revision } = (await stored()) ?? aTrial();
    expect([kept?.entitlementId, endsAt, revision]).to.deep.equal(['ent_1', later(day), 3]);
  });

  it('removes those that ended so long ago', async () => {
    await add();
    const prune = pruneTrials(ports.trials);
    const at = (now: Date) => prune(90 * day, () => aCall({ now }));
    expect(await at(later(104 * day - 1))).to.equal(0);
    expect(await at(later(104 * day))).to.equal(1);
    expect(await stored()).to.equal(null);
  });
});
