import { expect } from 'chai';
import { SqliteArchive } from '../../../../adapters/sqlite/copy/sqlite-archive.ts';
import type { Entry } from '../../../../core/copy/archive.port.ts';
import { aCall } from '../../../support/builders.ts';
import { eventLoopTurnsDuring } from '../../../support/event-loop.ts';
import { range } from '../../../support/range.ts';
import { withRecords } from '../../../support/stores/archived.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('SqliteArchive', () => {
  const file = sqliteFile();
  const archive = (): SqliteArchive => new SqliteArchive(file().database);

  it('ends a page after a thousand records of entitlements', async () => {
    const entries = range(5).map((index) => withRecords(index, 600));
    await archive().insert(entries, aCall());
    const pages: (readonly Entry[])[] = [];
    for (let after = ''; pages.at(-1)?.length !== 0; after = pages.at(-1)?.at(-1)?.id ?? '') {
      pages.push(await archive().page('entitlements', after, aCall()));
    }
    expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 1, 0]);
    expect(pages.flat()).to.deep.equal(entries);
  });

  it('lets other work go on between two entries that take long to insert', async () => {
    const entries = range(20).map((index) => withRecords(index, 900));
    expect(await eventLoopTurnsDuring(archive().insert(entries, aCall()))).to.be.greaterThan(1);
  });

  it('stores nothing of an entry whose last record another entry has', async () => {
    const [first, second] = [withRecords(0, 1), withRecords(1, 2)];
    if (first.section !== 'entitlements' || second.section !== 'entitlements') throw new Error('no entitlements');
    const records = [...second.value.records, ...first.value.records];
    await archive().insert([first], aCall());
    const stealing = { ...second, value: { ...second.value, records } };
    expect(await archive().insert([stealing], aCall())).to.equal(false);
    expect(await archive().page('entitlements', '', aCall())).to.deep.equal([first]);
  });
});
