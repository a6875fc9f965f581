import { writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { SqliteArchive } from '../../../adapters/sqlite/copy/sqlite-archive.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { backUpStore, pruneStore } from '../../../core/maintenance/maintain-store.ts';
import { aCall, later } from '../../support/builders.ts';
import { withRecords } from '../../support/stores/archived.ts';
import { sqliteFile, temporaryFile } from '../../support/stores/sqlite-file.ts';
import { refusalOf } from '../../support/thrown.ts';

const retention = retentionFor(defaultTtl);

describe('maintenance', () => {
  const file = sqliteFile();
  const copy = temporaryFile();
  const backUp = (path: string, isStopped = false): Promise<number | null> =>
    backUpStore(file().maintenance)(path, aCall(), () => isStopped);

  describe('pruneStore', () => {
    it('removes the expired records of every slice, each with a call of its own', async () => {
      await new SqliteArchive(file().database).insert([withRecords(0, 1001)], aCall());
      let calls = 0;
      const prune = (milliseconds: number): Promise<number> =>
        pruneStore(file().maintenance)(() => {
          calls += 1;
          return aCall({ now: later(milliseconds) });
        });
      expect([await prune(retention.milliseconds - 1), calls]).to.deep.equal([0, 3]);
      expect([await prune(retention.milliseconds), calls]).to.deep.equal([1001, 6]);
      expect([await prune(retention.milliseconds), calls]).to.deep.equal([0, 7]);
    });
  });

  describe('backUpStore', () => {
    it('returns the size of the file', async () => {
      const bytes = await backUp(copy('copy.db'));
      expect(bytes).to.equal((await stat(copy('copy.db'))).size);
      expect(bytes).to.be.greaterThan(0);
    });

    it('returns null if it was stopped', async () => {
      expect(await backUp(copy('copy.db'), true)).to.equal(null);
    });

    it('refuses a file that exists, and a folder that is missing', async () => {
      writeFileSync(copy('mine.db'), '');
      expect(await refusalOf(backUp(copy('mine.db')))).to.deep.equal({ code: 'backup_exists', details: {} });
      const nowhere = copy('no-folder/copy.db');
      expect(await refusalOf(backUp(nowhere))).to.deep.equal({ code: 'backup_not_writable', details: {} });
    });

    it('refuses a store that is not a file', async () => {
      const inMemory = backUpStore(openMemoryStore(retention).ports.maintenance);
      const refused = await refusalOf(inMemory(copy('copy.db'), aCall(), () => false));
      expect(refused).to.deep.equal({ code: 'backup_unsupported', details: {} });
    });
  });
});
