import { expect } from 'chai';
import { importPastedListings } from '../../../../adapters/cli/import/pasted-listings.ts';
import { aCall } from '../../../support/builders.ts';
import { eventLoopTurnsDuring } from '../../../support/event-loop.ts';

describe('an import of pasted listings', () => {
  const columns = 'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount\n';

  it('leaves other requests their turn, however many lines are wrong', async () => {
    const lines = 20_000;
    const run = importPastedListings(columns + 'x\n'.repeat(lines), async () => [], aCall());
    expect(await eventLoopTurnsDuring(run)).to.be.greaterThan(30);
    expect((await run).result).to.include({ imported: 0, failed: lines });
  });

  it('reads characters and lines that two slices share', async () => {
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
