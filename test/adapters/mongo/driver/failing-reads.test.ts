import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import type { Call } from '../../../../core/call.ts';
import { aCall, deadlineIn } from '../../../support/builders.ts';
import { blocked, failures, whileFailing } from '../../../support/mongo/fail-point.ts';
import { openOwnDatabase, ownServer } from '../../../support/mongo/mongodb.ts';
import { fillForReads, portsOf, reads, type OpenedPorts } from '../../../support/mongo/reads.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('a read on MongoDB', () => {
  let database: MongoDatabase;
  let ports: OpenedPorts;
  let url = '';

  before(async () => {
    url = (await ownServer()).url('admin');
    database = await openOwnDatabase();
    ports = portsOf(database);
    await fillForReads(ports);
  });
  after(() => database.close());

  it('returns its result when its first command is blocked for twenty seconds', async () => {
    const answers = await askAll(aCall());
    const sooner = aCall({ deadline: deadlineIn(15_000) });
    const work = (): Promise<readonly unknown[]> => askAll(sooner);
    expect(
      await whileFailing(url, ['find', 'aggregate'], { ...blocked, blockTimeMS: 20_000 }, work, reads.length),
    ).to.deep.equal(answers);
  });

  function askAll(call: Call): Promise<readonly unknown[]> {
    return Promise.all(reads.map(({ ask }) => ask(ports, call)));
  }

  for (const { what, command, ask } of reads) {
    for (const { name, failure } of failures.filter(({ applied }) => !applied)) {
      it(`returns ${what} when its ${command} ${name}`, async () => {
        const answer = await ask(ports, aCall());
        expect(await whileFailing(url, [command], failure, () => ask(ports, aCall()), 1)).to.deep.equal(answer);
      });

      it(`of ${what} is refused when each ${command} ${name}`, async () => {
        const { code } = await whileFailing(url, [command], failure, () => refusalOf(ask(ports, aCall())));
        expect(code).to.equal('store_unavailable');
      });
    }
  }
});
