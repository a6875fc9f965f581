import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { aCall, aLicense, anOperatorSession, aSubscription, granted, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { sqliteFile, type SqliteFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';

describe('the maintenance of a SQLite file', () => {
  const file = sqliteFile();

  it('copies the state of one instant while another connection keeps writing', async () => {
    await add(file(), 0, 3000);
    const writer = await openAt(`sqlite:${file().path}`);
    let written = 3000;
    const copy = { done: false };
    const write = async (): Promise<void> => {
      while (!copy.done) {
        const id = `ent_${String(written).padStart(6, '0')}`;
        await writer.allEntitlements.add(granted([aSubscription({ id })]), aCall());
        written += 1;
      }
    };
    const [outcome] = await Promise.all([
      file()
        .maintenance.backup(`${file().path}.bak`, aCall(), () => false)
        .finally(() => (copy.done = true)),
      write(),
    ]);
    await writer.close();
    expect(outcome).to.deep.equal({ kind: 'copied', bytes: statSync(`${file().path}.bak`).size });
    const opened = await openAt(`sqlite:${file().path}.bak`);
    const findings = await opened.maintenance.check(aCall());
    const inCopy = await entitlementsIn(opened);
    await opened.close();
    const inSource = await entitlementsIn(file());
    expect(findings.map(({ ok }) => ok)).to.deep.equal([true, true, true]);
    expect(inSource).to.have.length(written);
    expect(written).to.be.greaterThan(3010);
    expect(inCopy.length).to.be.within(3000, written);
    expect(inCopy).to.deep.equal(inSource.slice(0, inCopy.length));
  });

  it('refuses a file that exists, and does not change it', async () => {
    const path = `${file().path}.bak`;
    writeFileSync(path, 'mine');
    expect(await file().maintenance.backup(path, aCall(), () => false)).to.deep.equal({ kind: 'file exists' });
    expect(readFileSync(path, 'utf8')).to.equal('mine');
  });

  it('lets one of two backups to the same file succeed, and leaves no other file behind', async () => {
    await add(file(), 0, 2000);
    const path = `${file().path}.bak`;
    const outcomes = await Promise.all([
      file().maintenance.backup(path, aCall(), () => false),
      file().maintenance.backup(path, aCall(), () => false),
    ]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).to.deep.equal(['copied', 'file exists']);
    expect(filesOf(path)).to.deep.equal(['latchkey.db.bak']);
  });

  it('leaves no file behind if it is stopped, whenever that is', async () => {
    await add(file(), 0, 12_000);
    const path = `${file().path}.bak`;
    const pages = file().database.connection.pragma('page_count', { simple: true }) as number;
    expect(pages).to.be.above(500);
    for (const stopAt of [1, 2]) {
      let asked = 0;
      const outcome = await file().maintenance.backup(path, aCall(), () => {
        asked += 1;
        if (asked === 1) expect(filesOf(path)).not.to.deep.equal([]);
        return asked >= stopAt;
      });
      expect([outcome, filesOf(path)]).to.deep.equal([{ kind: 'stopped' }, []]);
    }
    expect(await file().maintenance.backup(path, aCall(), () => false)).to.include({ kind: 'copied' });
  });

  it('remembers a backup that took longer than its deadline', async () => {
    let remaining = 1000;
    const outcome = await file().maintenance.backup(
      `${file().path}.bak`,
      aCall({ deadline: { remaining: () => remaining } }),
      () => {
        remaining = 0;
        return false;
      },
    );
    expect(outcome).to.include({ kind: 'copied' });
    expect(await file().maintenance.lastBackup(aCall())).to.deep.equal({ kind: 'made', at: noon });
  });

  it('backs up a store that cannot be written', async () => {
    file().database.connection.pragma('query_only = ON');
    const outcome = await file().maintenance.backup(`${file().path}.bak`, aCall(), () => false);
    file().database.connection.pragma('query_only = OFF');
    expect([outcome.kind, await file().maintenance.lastBackup(aCall())]).to.deep.equal(['copied', { kind: 'none' }]);
  });

  it('leaves the links of buyers out of a backup, and in the store', async () => {
    const link = { digest: 'digest-of-a-link', subject: 'ent_1', appKeyId: null, returnUrl: null };
    await file().buyerLinks.add({ ...link, isForLostKeys: false, createdAt: noon, expiresAt: noon }, aCall());
    await file().maintenance.backup(`${file().path}.bak`, aCall(), () => false);
    expect(readFileSync(`${file().path}.bak`, 'latin1')).to.not.include('digest-of-a-link');
    expect(await file().buyerLinks.find('digest-of-a-link', aCall())).to.include(link);
  });

  it('leaves the sessions of operators out of a backup, and in the store', async () => {
    const digests = range(500).map((number) => `digest-of-session-${number}`);
    for (const digest of digests) await file().operatorSessions.add(anOperatorSession({ digest }), aCall());
    await file().maintenance.backup(`${file().path}.bak`, aCall(), () => false);
    const isCopied = readFileSync(`${file().path}.bak`, 'latin1').includes('digest-of-session');
    const found = await file().operatorSessions.find('digest-of-session-499', aCall());
    expect([isCopied, found]).to.deep.equal([false, anOperatorSession({ digest: 'digest-of-session-499' })]);
    const opened = await openAt(`sqlite:${file().path}.bak`);
    expect(await opened.operatorSessions.find('digest-of-session-499', aCall())).to.equal(null);
    await opened.close();
  });

  it('refuses a folder that does not exist', async () => {
    const outcome = await file().maintenance.backup(`${file().path}.d/x.bak`, aCall(), () => false);
    expect(outcome).to.deep.equal({ kind: 'not writable' });
  });

  it('detects an index that does not match its table', async () => {
    await add(file(), 0, 500);
    const { connection } = file().database;
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.unsafeMode(true);
    connection.pragma('writable_schema = ON');
    connection.exec(
      "UPDATE sqlite_schema SET sql = replace(sql, 'license_digest)', 'product_id)') WHERE name = 'entitlements_license'",
    );
    connection.pragma('writable_schema = OFF');
    const other = await openAt(`sqlite:${file().path}`);
    const inIndex = await other.maintenance.check(aCall());
    await other.close();
    expect(inIndex.find(({ check }) => check === 'integrity')).to.deep.equal(damaged);
  });

  it('detects an overwritten page', async () => {
    await add(file(), 0, 500);
    file().database.connection.pragma('wal_checkpoint(TRUNCATE)');
    const descriptor = openSync(file().path, 'r+');
    writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, statSync(file().path).size - 4096);
    closeSync(descriptor);
    const other = await openAt(`sqlite:${file().path}`);
    const [, integrity] = await other.maintenance.check(aCall());
    await other.close();
    expect(integrity).to.deep.equal(damaged);
  });

  it('detects a store that cannot be written', async () => {
    file().database.connection.pragma('query_only = ON');
    const [, , write] = await file().maintenance.check(aCall());
    file().database.connection.pragma('query_only = OFF');
    expect(write?.ok).to.equal(false);
  });
});

const damaged = { check: 'integrity', ok: false, message: 'The file is damaged: restore it from a backup.' };

async function add({ allEntitlements }: SqliteFile, from: number, count: number): Promise<void> {
  const entitlements = range(count).map((index) => {
    const id = `ent_${String(from + index).padStart(6, '0')}`;
    return aSubscription({ id, license: aLicense({ digest: `digest of ${id}` }) });
  });
  await allEntitlements.add(granted(entitlements), aCall());
}

/** The backup at a path, and what is left of others. */
function filesOf(path: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => name.includes('.bak'));
}
