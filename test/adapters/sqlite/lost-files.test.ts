import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { aCall } from '../../support/builders.ts';
import { send } from '../../support/http/http-client.ts';
import { change, read, sqliteService } from '../../support/http/sqlite-service.ts';
import { openAt } from '../../support/stores/stores.ts';

describe('a service whose SQLite store', () => {
  const running = sqliteService();
  const path = (suffix = ''): string => running().path(`latchkey.db${suffix}`);

  const losses: readonly (readonly [what: string, lose: () => Promise<void>])[] = [
    ['is removed', async () => ['', '-wal', '-shm'].forEach((suffix) => rmSync(path(suffix)))],
    ['is moved away', async () => renameSync(path(), path('.old'))],
    ['loses its write-ahead log', async () => rmSync(path('-wal'))],
    [
      'is replaced by a backup',
      async () => {
        await running().database.connection.backup(path('.copy'));
        renameSync(path('.copy'), path());
      },
    ],
  ];

  for (const [what, lose] of losses) {
    it(`${what} is not ready, and acknowledges no write`, async () => {
      const { url } = running().service;
      expect(await statusOf('/readyz')).to.equal(200);
      expect((await change(url, 'cancel', 'key-00000001')).status).to.equal(200);
      await lose();
      expect(await statusOf('/readyz')).to.equal(503);
      const refused = await change(url, 'resume', 'key-00000002');
      expect([refused.status, refused.headers['error-code']]).to.deep.equal([500, 'store_unavailable']);
      expect(JSON.stringify(running().service.faults)).to.include('removed or replaced while it was open');
      expect(await read(url)).to.have.nested.property('body.data.cancelAtPeriodEnd', true);
    });
  }

  it('is put back is ready again, with everything that was acknowledged', async () => {
    const { url } = running().service;
    renameSync(path(), path('.old'));
    expect(await statusOf('/readyz')).to.equal(503);
    renameSync(path('.old'), path());
    expect(await statusOf('/readyz')).to.equal(200);
    expect((await change(url, 'cancel', 'key-00000001')).status).to.equal(200);
  });

  it('is checked, backed up and used by others stays ready', async () => {
    const { service, database } = running();
    const other = await openAt(`sqlite:${path()}`);
    await other.maintenance.check(aCall());
    await other.maintenance.backup(path('.bak'), aCall(), () => false);
    await other.close();
    database.connection.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(path(), path('.copy'));
    expect(await statusOf('/readyz')).to.equal(200);
    expect((await change(service.url, 'cancel', 'key-00000001')).status).to.equal(200);
  });

  async function statusOf(target: string): Promise<number> {
    return (await send(`${running().service.url}${target}`)).status;
  }
});
