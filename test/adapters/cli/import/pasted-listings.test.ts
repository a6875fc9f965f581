import { expect } from 'chai';
import { importPastedListings } from '../../../../adapters/cli/import/pasted-listings.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall } from '../../../support/builders.ts';
import { eventLoopTurnsDuring } from '../../../support/event-loop.ts';
import { range } from '../../../support/range.ts';

describe('an import of pasted listings', () => {
  const columns = 'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount\n';

  it('leaves other requests their turn, however many lines are wrong', async () => {
    const lines = 20_000;
    const run = importPastedListings(columns + 'x\n'.repeat(lines), async () => [], aCall());
    expect(await eventLoopTurnsDuring(run)).to.be.greaterThan(30);
    expect((await run).result).to.include({ imported: 0, failed: lines });
  });

  it('leaves other requests their turn in lines that are blank', async () => {
    const run = importPastedListings(columns + '\n'.repeat(1_000_000), async () => [], aCall());
    expect(await eventLoopTurnsDuring(run)).to.be.greaterThan(10);
    expect((await run).result).to.include({ imported: 0, failed: 0 });
  });

  it('stores a hundred listings at once, so that no store is busy with thousands', async () => {
    const sizes: number[] = [];
    const rows = range(1000).map((number) => `s-${number},A,,Tools,10,commission,Ten percent,3\n`);
    const run = await importPastedListings(
      columns + rows.join(''),
      async (drafts) => (sizes.push(drafts.length), drafts.map(() => 'stored')),
      aCall(),
    );
    expect(run.result).to.include({ imported: 1000, failed: 0 });
    expect(Math.max(...sizes)).to.equal(100);
  });

  it('ends at the deadline of its call, when nobody waits for it any more', async () => {
    let remaining = 3;
    const call = aCall({ deadline: { remaining: () => (remaining -= 1) } });
    const { result, fault } = await importPastedListings(columns + 'x\n'.repeat(500_000), async () => [], call);
    expect(result.failed).to.be.greaterThan(0).and.lessThan(500_000);
    expect(fault?.error).to.be.instanceOf(Refusal).with.property('code', 'store_unavailable');
  });

  it('reads characters and lines that two pieces share', async () => {
    const line = 'quiet-editor,"Ä, ß",🎉,Tools,10,commission,Ten percent,3\n';
    const names: unknown[] = [];
    const run = await importPastedListings(
      columns + line.repeat(500),
      async (drafts) => drafts.map(({ name, blurb }) => (names.push(`${name} ${blurb}`), 'stored')),
      aCall(),
    );
    expect(run).to.deep.equal({ result: { imported: 500, failed: 0, errors: [] }, fault: null });
    expect(new Set(names)).to.deep.equal(new Set(['Ä, ß 🎉']));
  });
});
