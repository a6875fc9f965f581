import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { send, type Reply } from '../../support/http/http-client.ts';
import { json } from '../../support/http/requests.ts';
import { change, read, sqliteService } from '../../support/http/sqlite-service.ts';
import { range } from '../../support/range.ts';

describe('a service whose disk is full', () => {
  const running = sqliteService();

  it('refuses writes, still answers reads, and recovers without a restart', async () => {
    const { service, database } = running();
    expect(await readiness()).to.equal(200);
    const { connection } = database;
    connection.pragma(`max_page_count = ${Number(connection.pragma('page_count', { simple: true }))}`);
    expectRefusal(await untilRefused(join));
    expectRefusal(await untilRefused((number) => change(service.url, 'cancel', `key-0000${number}`)));
    for (const _ of range(3)) expect(await readiness()).to.equal(503);
    expect(JSON.stringify(service.faults)).to.include('The disk of the store is full, and nothing was changed');
    const kept = await read(service.url);
    expect(kept.status).to.equal(200);
    expect(connection.prepare('SELECT count(*) FROM waitlist WHERE address = ?').pluck().get(address(0))).to.equal(1);
    connection.pragma(`max_page_count = ${2 ** 30}`);
    expect(await eventually(readiness, (status) => status === 200)).to.equal(200);
    expect((await join(100_000)).status).to.equal(200);
    const done = await change(service.url, 'cancel', 'key-of-the-retry');
    expect([done.status, done.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    expect(connection.pragma('integrity_check', { simple: true })).to.equal('ok');
  });

  async function readiness(): Promise<number> {
    return (await send(`${running().service.url}/readyz`)).status;
  }

  function join(number: number): Promise<Reply> {
    const body = JSON.stringify({ email: address(number), name: 'n'.repeat(100) });
    return send(`${running().service.url}/api/waitlist`, { method: 'POST', headers: [json], body });
  }
});

const address = (number: number): string => `person-${number}@example.com`;

/** Repeats a request until it fails. */
async function untilRefused(request: (number: number) => Promise<Reply>): Promise<Reply> {
  for (let number = 0; number < 1000; number += 1) {
    const reply = await request(number);
    if (reply.status !== 200) return reply;
  }
  throw new Error('the disk did not become full');
}

function expectRefusal({ status, headers }: Reply): void {
  expect([status, headers['error-code'], headers['retry-after']]).to.deep.equal([500, 'store_unavailable', '1']);
}
