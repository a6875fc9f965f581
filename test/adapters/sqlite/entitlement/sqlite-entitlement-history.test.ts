import { expect } from 'chai';
import { SqliteArchive } from '../../../../adapters/sqlite/copy/sqlite-archive.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import { historyOperations, maxHistory } from '../../../../core/entitlement/history-entry.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { aCall, aChangeRecord, aRecord, aSubscription, changed, granted } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { refusalOf } from '../../../support/thrown.ts';

interface Row {
  readonly version: number;
  readonly lines: number;
}

describe('the history of an entitlement in SQLite', () => {
  const file = sqliteFile();

  it('is in the row of the entitlement, and moves into rows of its own six entries at a time', async () => {
    const five = await changedTo(5);
    expect(layout()).to.deep.equal({ recent: 5, rows: [] });
    const six = await changedTo(6, five);
    expect(layout()).to.deep.equal({ recent: 0, rows: [{ version: 6, lines: 6 }] });
    await changedTo(14, six);
    const rows = [
      { version: 6, lines: 6 },
      { version: 12, lines: 6 },
    ];
    expect(layout()).to.deep.equal({ recent: 2, rows });
  });

  it('loses the rows that have only older entries than the last hundred', async () => {
    await changedTo(maxHistory + 20);
    expect(layout().rows.map(({ version }) => version)).to.deep.equal(range(17).map((index) => 24 + 6 * index));
  });

  for (const version of [1, 5, 6, 7, 12, 16]) {
    it(`of ${version} entries is stored by a copy as by the changes`, async () => {
      await changedTo(version);
      const stored = everyRow();
      const archive = new SqliteArchive(file().database);
      const entries = await archive.page('entitlements', '', aCall());
      await archive.remove('entitlements', ['ent_1'], aCall());
      expect(everyRow()).to.deep.equal({ recent: undefined, rows: [] });
      await archive.insert(entries, aCall());
      expect(everyRow()).to.deep.equal(stored);
    });
  }

  it('keeps the code of every operation', async () => {
    const seen = aSubscription();
    for (const [index, operation] of historyOperations.entries()) {
      const entitlement = { ...seen, id: `ent_${index}` };
      await file().allEntitlements.add(
        [{ entitlement, changeRecord: aChangeRecord(entitlement, { operation }) }],
        aCall(),
      );
      const [listed] = await file().entitlementHistory.list(entitlement.id, aCall());
      expect(listed?.operation).to.equal(operation);
    }
    const lines = file()
      .database.connection.prepare<[], string>('SELECT recent_history FROM entitlements ORDER BY length(id), id')
      .pluck()
      .all();
    const codes = lines.map((line) => (JSON.parse(line) as readonly unknown[])[2]);
    expect(codes).to.deep.equal(['g', 'i', 'r', 't', 'c', 'u', 'p', 's', 'b', 'x', 'e', 'lr', 'lm', 'lx', 'a']);
  });

  it('with an unknown operation is damage', async () => {
    await changedTo(1);
    file().database.connection.exec(`UPDATE entitlements SET recent_history = '[1,0,"?","clock","a"]' || char(10)`);
    const { code, details } = await refusalOf(file().entitlementHistory.list('ent_1', aCall()));
    expect(code).to.equal('store_unavailable');
    expect(details.cause).to.be.instanceOf(UnusableStore);
  });

  /** Grants an entitlement, unless it is given, and changes it until it has the version. */
  async function changedTo(version: number, from: Subscription | null = null): Promise<Subscription> {
    let seen = from ?? aSubscription();
    if (from === null) await file().allEntitlements.add(granted([seen]), aCall());
    while (seen.version < version) {
      const next = changed(seen);
      const record = aRecord(next, { key: `key-number-${next.version}` });
      if (next.version % 2 === 0) await file().entitlements.replace(seen, next, record, aChangeRecord(next), aCall());
      else await file().allEntitlements.replace(seen, next, aChangeRecord(next), aCall());
      seen = next;
    }
    return seen;
  }

  /** Counts the entries in the row of the entitlement, and in each row of `entitlement_history`. */
  function layout(): { readonly recent: number; readonly rows: readonly Row[] } {
    const { recent, rows } = everyRow();
    return {
      recent: linesOf(recent),
      rows: rows.map(({ version, entries }) => ({ version, lines: linesOf(entries) })),
    };
  }

  function everyRow() {
    const { connection } = file().database;
    const recent = connection.prepare<[], string>('SELECT recent_history FROM entitlements').pluck().get();
    const rows = connection
      .prepare<[], { version: number; entries: string }>(
        'SELECT version, entries FROM entitlement_history ORDER BY version',
      )
      .all();
    return { recent, rows };
  }
});

function linesOf(text = ''): number {
  return text.split('\n').length - 1;
}
