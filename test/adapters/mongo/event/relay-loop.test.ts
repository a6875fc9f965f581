import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { RelayLoop } from '../../../../adapters/mongo/event/relay-loop.ts';
import { eventually } from '../../../support/eventually.ts';
import { whileFailing } from '../../../support/mongo/fail-point.ts';
import { openOwnDatabase, ownServer } from '../../../support/mongo/mongodb.ts';
import { OutboxWriter } from '../../../support/mongo/outbox-writer.ts';
import { range } from '../../../support/range.ts';

describe('the relay of a process that serves from MongoDB', () => {
  let database: MongoDatabase;
  let writer: OutboxWriter;
  const loops: RelayLoop[] = [];
  let errors: unknown[] = [];

  beforeEach(async () => {
    database = await openOwnDatabase();
    writer = new OutboxWriter(database);
    await writer.add('a');
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    await database.close();
  });

  it('moves what this process writes and what others write', async () => {
    const loop = started();
    await writer.write('a');
    expect(await moved(1)).to.equal(1);
    await writer.write('a');
    loop.noticeWrite();
    expect(await moved(2)).to.equal(2);
    expect(errors).to.deep.equal([]);
  });

  it('moves the events of many writes, with any number of processes', async () => {
    const both = [started(), started()];
    for (const index of range(60)) {
      await writer.write('a');
      both[index % 2]?.noticeWrite();
    }
    expect(await moved(60)).to.equal(60);
    expect(await writer.violations()).to.deep.equal([]);
  });

  it('goes on in another process as soon as one has stopped', async () => {
    const first = started();
    await writer.write('a');
    await moved(1);
    started();
    await first.stop();
    await writer.write('a');
    expect(await moved(2)).to.equal(2);
  });

  it('moves what was written before it was stopped, and nothing afterwards', async () => {
    const loop = started();
    await writer.write('a');
    await moved(1);
    await writer.write('a');
    await loop.stop();
    expect((await writer.log()).length).to.equal(2);
    await writer.write('a');
    loop.noticeWrite();
    await sleep(100);
    expect(await writer.waiting()).to.equal(1);
  });

  it('stops where it was never started', async () => {
    await new RelayLoop(database).stop();
  });

  it('reports a failure once, and goes on when it is over', async () => {
    started();
    await writer.write('a');
    await moved(1);
    const url = (await ownServer()).url('admin');
    await whileFailing(url, ['find', 'update', 'insert'], { closeConnection: true }, ({ met }) => met(3));
    await writer.write('a');
    expect(await moved(2)).to.equal(2);
    expect(errors.length).to.equal(1);
    expect(errors[0]).to.include({ code: 'store_unavailable' });
  });

  function started(): RelayLoop {
    const loop = new RelayLoop(database);
    loops.push(loop);
    loop.start((error) => errors.push(error));
    return loop;
  }

  async function moved(count: number): Promise<number> {
    const log = await eventually(
      () => writer.log(),
      ({ length }) => length >= count,
    );
    return log.length;
  }
});
