import { PassThrough, Writable } from 'node:stream';
import { expect } from 'chai';
import type { Shell } from '../../../../adapters/cli/shell/shell.ts';
import { MemoryListings } from '../../../../adapters/memory/memory-listings.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, aListing, anAppKey, aSubscription } from '../../../support/builders.ts';
import { jsonError, TestCommandLine, TextSink } from '../../../support/cli/command-line.ts';
import { InjectedFault } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { thrownBy } from '../../../support/thrown.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval month --id e1';

const failToOpen = (): never => {
  throw new UnusableStore('There is no store at \u009b2J\u202etxt.db.');
};

describe('the text output', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
  });

  it('is a table whose columns are aligned by the width of the characters', async () => {
    await cli.run(['product', 'add', '--id', 'p2', '--name', '画板']);
    expect(await text('product list')).to.equal(`\
Id  Name  Created at
p1  One   2026-07-18T12:00:00.000Z
p2  画板  2026-07-18T12:00:00.000Z
`);
  });

  it('is a block for each item if a table would not fit', async () => {
    await cli.json('product add --id p2 --name Two');
    const expected = `\
Id          p1
Name        One
Created at  2026-07-18T12:00:00.000Z

Id          p2
Name        Two
Created at  2026-07-18T12:00:00.000Z
`;
    expect(await text('product list', 33)).to.equal(expected);
    expect((await text('product list', 34)).split('\n')).to.have.length(4);
  });

  it('says that a list is empty', async () => {
    expect([await text('key list'), await text('entitlement list')]).to.deep.equal(['None.\n', 'None.\n']);
  });

  it('has every member of an entitlement', async () => {
    await cli.json(`${grant} --license-key a-license-key-that-ends-in-wxyz`);
    expect(await text('entitlement show e1')).to.equal(`\
Id                    e1
Product id            p1
Kind                  subscription
Status                active
Active                yes
Tier id               pro
Tier name             Pro
Billing interval      month
Current period start  2026-07-18T12:00:00.000Z
Current period end    2026-08-18T12:00:00.000Z
Cancel at period end  no
Cancel at             -
Canceled at           -
Ended at              -
Allowed actions       cancel
Created at            2026-07-18T12:00:00.000Z
Updated at            2026-07-18T12:00:00.000Z
Version               1
Reference             -
Grace until           2026-08-19T12:00:00.000Z
License last four     wxyz
License created at    2026-07-18T12:00:00.000Z
License revoked at    -
Suspended by          -
Own device limit      -
Own features          -
`);
  });

  it('has the main members in a list of entitlements', async () => {
    await cli.json(grant);
    expect(await text('entitlement list')).to.equal(`\
Id  Product id  Status  Tier id  Billing interval  Current period end        Cancel at  Version
e1  p1          active  pro      month             2026-08-18T12:00:00.000Z  -          1
`);
  });

  it('counts the intervals of a period in a list of entitlements', async () => {
    await cli.json(grant.replace('--interval month', '--interval month --interval-count 3'));
    expect(await text('entitlement list')).to.include(' pro      3 months          2026-10-18T12:00:00.000Z ');
    await cli.json('entitlement grant --product p1 --tier pro --tier-name Pro --interval one_time --id e2');
    expect(await text('entitlement list')).to.match(/^e2 .* one_time /m);
  });

  it('has no app key in a list', async () => {
    const key = anAppKey({ scopes: ['read:licenses', 'read:entitlements'] });
    cli.store.appKeys.put(key);
    const printed = await text('key list', 80);
    expect(printed).to.equal(`\
Id            key_1
Product id    prod_1
Last four     wxyz
Scopes        read:licenses, read:entitlements
Created at    2026-07-01T00:00:00.000Z
Expires at    -
Revoked at    -
Last used at  -
`);
  });

  for (const line of ['key issue --product p1', grant, 'license rotate e1']) {
    it(`says that a new key is shown only once: ${line.split(' --')[0]}`, async () => {
      if (line.startsWith('license')) await cli.json(grant);
      expect(await text(line))
        .to.match(/(svc_sk_live_|LK-)/)
        .and.to.contain('shown only this once');
    });
  }

  it('replaces control characters', async () => {
    cli.store.entitlements.set('e1', aSubscription({ id: 'e1', tierName: 'Pro\u001b[2J\n' }));
    expect(await text('entitlement show e1')).to.contain('Pro\uFFFD[2J\uFFFD\n');
  });

  it('replaces what a terminal obeys and what turns a text around, and keeps what languages need', async () => {
    const [bad, good] = [
      '\x7f\u009b31m\u061c\u200b\u200e\u2028\u202e\u2066\ufeff\u{e0041}',
      'é\u200d\u0301漢👩\u200d💻',
    ];
    cli.store.entitlements.set('e1', aSubscription({ id: 'e1', tierName: `${good}${bad}` }));
    const shown = await text('entitlement show e1');
    expect(shown)
      .to.contain(good)
      .and.to.contain(`\uFFFD\uFFFD31m${'\uFFFD'.repeat(8)}\n`);
    const { stdout } = await cli.run(['entitlement', 'show', 'e1', '--json']);
    expect(stdout)
      .to.contain('\\u009b31m')
      .and.not.to.match(/[\x7f-\x9f\u202e\ufeff]/);
    expect(JSON.parse(stdout).tierName).to.equal(`${good}${bad}`);
  });

  it('says that the disk is full to which standard output is written', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    });
    const { exitCode, stderr } = await cli.run(['product', 'list', '--json'], '', { stdout });
    const message = 'Not everything was written to standard output: the disk is full.';
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('file_not_written', message)]);
  });

  it('writes no such character to standard error', async () => {
    const { stderr } = await cli.run(['product', 'list'], '', { openStore: failToOpen });
    expect(stderr).to.equal('There is no store at \uFFFD2J\uFFFDtxt.db.\n');
    const json = await cli.run(['product', 'list', '--json'], '', { openStore: failToOpen });
    expect(json.stderr).to.contain('at \\u009b2J\\u202etxt.db.');
  });

  async function text(line: string, columns?: number): Promise<string> {
    const stdout = new TextSink(columns);
    const { exitCode, stderr } = await cli.run(line.split(' '), '', { stdout });
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    return stdout.text;
  }
});

describe('the JSON output', () => {
  it('is one array of any length', async () => {
    const cli = new TestCommandLine();
    const ids = range(5000).map((index) => `e${String(index).padStart(4, '0')}`);
    for (const id of ids) cli.store.entitlements.set(id, aSubscription({ id }));
    const listed = (await cli.json('entitlement list')) as readonly { readonly id: string }[];
    expect(listed.map(({ id }) => id)).to.deep.equal(ids);
  });

  it('is empty if a list cannot be read to its end', async () => {
    const cli = new TestCommandLine();
    for (const id of ['e1', 'e2']) cli.store.entitlements.set(id, aSubscription({ id }));
    const stdout = new TextSink();
    let closed = 0;
    const openStore: Shell['openStore'] = async () => ({
      ...administrationOver(cli.store),
      everyEntitlement: async function* broken(filter, call) {
        yield* administrationOver(cli.store).everyEntitlement(filter, call);
        throw new InjectedFault();
      },
      close: async () => void (closed += 1),
    });
    const broken = cli.run(['entitlement', 'list', '--json'], '', { openStore, stdout });
    expect(await thrownBy(broken)).to.be.instanceOf(InjectedFault);
    expect([stdout.text, closed]).to.deep.equal(['', 1]);
  });
});

describe('an output that cannot be written', () => {
  for (const after of [0, 1]) {
    it(`ends a list as SIGPIPE does if its reader closes the pipe after ${after} pieces`, async () => {
      const cli = new TestCommandLine();
      for (const id of ['p1', 'p2']) await cli.json(`product add --id ${id} --name One`);
      const asJson = await cli.run(['product', 'list', '--json'], '', { stdout: failing('EPIPE', after) });
      const error = 'Standard output was closed before everything was written.';
      expect(asJson).to.deep.equal({ exitCode: 141, stdout: '', stderr: jsonError('output_closed', error) });
      const asText = await cli.run(['product', 'list'], '', { stdout: failing('EPIPE') });
      expect(asText).to.deep.equal({ exitCode: 141, stdout: '', stderr: '' });
      expect(cli.closed).to.equal(4);
    });
  }

  it('ends an export that wrote only a part', async () => {
    const cli = new TestCommandLine();
    await new MemoryListings(cli.store).put([aListing(), aListing({ id: 'l2', slug: 'b' })], aCall());
    const { exitCode, stderr } = await cli.run(['listing', 'export'], '', { stdout: failing('EPIPE', 1) });
    expect([exitCode, stderr]).to.deep.equal([141, '']);
    expect((await cli.run(['listing', 'export'], '', { stdout: failing('EPIPE', 2) })).exitCode).to.equal(0);
  });

  it('ends a batch, whose other lines are not read', async () => {
    const cli = new TestCommandLine();
    const lines = range(1000).map((number) => `{"id":"p${number}","name":"One"}\n`);
    const { exitCode } = await cli.run(['product', 'add', '-'], lines.join(''), { stdout: failing('EPIPE', 1) });
    expect(exitCode).to.equal(141);
    expect(cli.store.products.size).to.be.below(1000);
  });

  it('ends a batch whose standard input stays open', async () => {
    const stdin = new PassThrough();
    stdin.write('{"id":"p1","name":"One"}\n');
    const run = new TestCommandLine().run(['product', 'add', '-'], '', { stdin, stdout: failing('EPIPE') });
    expect((await run).exitCode).to.equal(141);
    expect(stdin.destroyed).to.equal(true);
  });

  it('is a fault if the disk is broken', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
    const run = cli.run(['product', 'list', '--json'], '', { stdout: failing('EIO') });
    expect(await thrownBy(run)).to.have.property('code', 'EIO');
    expect(cli.closed).to.equal(2);
  });
});

/** A stream that fails with a code after some writes. */
function failing(code: string, after = 0): Writable {
  let written = 0;
  return new Writable({
    write: (_chunk, _encoding, done) => {
      written += 1;
      done(written > after ? Object.assign(new Error('write failed'), { code }) : null);
    },
  });
}
