import { expect } from 'chai';
import { aCall, aSubscription, granted } from '../../support/builders.ts';
import { runProgram, type Program } from '../../support/processes/program.ts';
import { sqliteFile, temporaryFile } from '../../support/stores/sqlite-file.ts';
import { openAt } from '../../support/stores/stores.ts';
import { productsIn } from '../../support/stores/whole-lists.ts';
import { refusalOf } from '../../support/thrown.ts';

const product = {
  id: 'prod_1',
  name: 'Product',
  createdAt: new Date(0),
  downloadUrl: null,
  supportUrl: null,
  accountUrl: null,
  activateUrl: null,
  iconUrl: null,
  mailKeys: true,
  mailSubject: null,
  mailText: null,
  mailEnding: false,
};

describe('a SQLite store while another process holds its write lock', () => {
  const file = sqliteFile();
  let holder: Program;

  beforeEach(async () => {
    await file().allEntitlements.add(granted([aSubscription()]), aCall());
    holder = runProgram(new URL('processes/hold-lock.ts', import.meta.url), file().path);
    expect(await holder.line()).to.equal('locked');
  });
  afterEach(async () => {
    holder.kill();
    await holder.ended;
  });

  it('answers look-ups for two seconds, and then carries out the write that waited', async () => {
    let written = false;
    const write = file()
      .products.add(product, aCall())
      .finally(() => (written = true));
    const until = performance.now() + 2000;
    let answered = 0;
    while (answered < 500 || performance.now() < until) {
      expect((await file().entitlements.find('ent_1', 'prod_1', aCall()))?.id).to.equal('ent_1');
      answered += 1;
    }
    expect(written).to.equal(false);
    holder.release();
    expect(await write).to.equal('added');
    expect((await productsIn(file())).map(({ id }) => id)).to.deep.equal(['of-the-holder', 'prod_1']);
  });

  it('rejects a write when its deadline passes, and never carries it out', async () => {
    let remaining = 1000;
    const write = file().products.add(product, aCall({ deadline: { remaining: () => remaining } }));
    const refusal = refusalOf(write);
    await productsIn(file());
    remaining = 0;
    expect((await refusal).code).to.equal('store_unavailable');
    holder.release();
    expect(await holder.ended).to.equal(0);
    expect(await file().products.add({ ...product, id: 'prod_2' }, aCall())).to.equal('added');
    expect((await productsIn(file())).map(({ id }) => id)).to.deep.equal(['of-the-holder', 'prod_2']);
  });

  it('still carries out other writes when one passes its deadline', async () => {
    const late = refusalOf(file().products.add(product, aCall({ deadline: { remaining: () => 0 } })));
    const waiting = file().products.add({ ...product, id: 'prod_2' }, aCall());
    expect((await late).code).to.equal('store_unavailable');
    holder.release();
    expect(await waiting).to.equal('added');
  });

  it('can be opened by another process', async () => {
    const beside = await openAt(`sqlite:${file().path}`);
    const found = await beside.entitlements.find('ent_1', 'prod_1', aCall());
    await beside.close();
    expect(found).to.deep.equal(aSubscription());
  });

  it('undoes the transaction of the other process when that process is killed', async () => {
    const write = file().products.add(product, aCall());
    holder.kill();
    expect(await write).to.equal('added');
    expect(await productsIn(file())).to.deep.equal([product]);
  });
});

describe('a SQLite store whose writers are killed', () => {
  const path = temporaryFile();

  it('loses no acknowledged write', async () => {
    const acknowledged: string[] = [];
    for (const round of ['a', 'b', 'c']) {
      const writers = [`${round}1`, `${round}2`].map((name) =>
        runProgram(new URL('processes/add-products.ts', import.meta.url), path(), name),
      );
      await Promise.all(writers.map(async (writer) => acknowledged.push(...(await linesOf(writer, 50)))));
      for (const writer of writers) writer.kill();
      await Promise.all(writers.map(async (writer) => acknowledged.push(...(await linesOf(writer, Infinity)))));
    }
    const store = await openAt(`sqlite:${path()}`);
    const kept = new Set((await productsIn(store)).map(({ id }) => id));
    await store.close();
    expect(acknowledged.filter((id) => !kept.has(id))).to.deep.equal([]);
    expect(acknowledged.length).to.be.at.least(300);
  });
});

/** Reads the next lines of a program, up to `count` or its end. */
async function linesOf(program: Program, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const line = await program.line();
    if (line === null) break;
    lines.push(line);
  }
  return lines;
}
