import { expect } from 'chai';
import { SqliteDatabase } from '../../../../adapters/sqlite/engine/sqlite-database.ts';
import { appKeyTable } from '../../../../adapters/sqlite/key/key-row.ts';
import { LastUsedBuffer } from '../../../../adapters/sqlite/key/last-used-buffer.ts';
import { aCall, anAppKey, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { commitsIn, sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { appKeysIn } from '../../../support/stores/whole-lists.ts';

describe('LastUsedBuffer', () => {
  const file = sqliteFile();

  it('writes many keys in several transactions, so that other writes go on between them', async () => {
    const keys = range(250).map((index) => anAppKey({ id: `key_${index}`, digest: `digest-${index}` }));
    for (const key of keys) await file().allAppKeys.add(key, aCall());
    const { connection } = file().database;
    const buffer = new LastUsedBuffer(new SqliteDatabase(connection, -1), appKeyTable.table);
    for (const { id } of keys) for (const milliseconds of [1, 2]) buffer.recordUse(id, later(milliseconds));
    connection.pragma('wal_checkpoint(RESTART)');
    await buffer.flush();
    expect(commitsIn(file().path)).to.equal(3);
    const stored = await appKeysIn(file());
    expect(stored).to.have.deep.members(keys.map((key) => ({ ...key, lastUsedAt: later(2) })));
  });
});
