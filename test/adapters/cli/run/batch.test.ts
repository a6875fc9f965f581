import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { intervalCountRule } from '../../../../core/entitlement/written-grant.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { plainFacts } from '../../../../core/product/products.port.ts';
import { administrationOver } from '../../../support/administration.ts';
import { TextSink, type TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithSubscriptions, grant, runBatch, type Line } from '../../../support/cli/line-files.ts';
import { range } from '../../../support/range.ts';

const newEnd = '2026-09-18T12:00:00Z';

describe('batch mode', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithSubscriptions();
  });

  const batch = (command: string, lines: readonly unknown[]): ReturnType<typeof runBatch> =>
    runBatch(cli, command, lines);

  it('makes one change a line in one process, and logs each', async () => {
    const [exitCode, answers, stderr] = await batch('entitlement suspend -', [{ id: 'e1' }, { id: 'e2' }]);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(answers.map(({ id, status }) => [id, status])).to.deep.equal([
      ['e1', 'suspended'],
      ['e2', 'suspended'],
    ]);
    expect([cli.opened.length, cli.closed]).to.deep.equal([1, 1]);
    const change = { command: 'entitlement suspend', versionBefore: 1, version: 2 };
    expect(cli.changes).to.deep.equal(['e1', 'e2'].map((entitlementId) => ({ ...change, entitlementId })));
  });

  it('reads options in camelCase, with those of the command line as defaults', async () => {
    const [exitCode, answers] = await batch(`entitlement renew - --period-end ${newEnd} --grace 0s`, [
      { id: 'e1' },
      { id: 'e2', periodEnd: '2026-10-18T12:00:00Z', grace: null },
    ]);
    expect(exitCode).to.equal(0);
    expect(answers.map(({ currentPeriodEnd }) => currentPeriodEnd)).to.deep.equal([
      '2026-09-18T12:00:00.000Z',
      '2026-10-18T12:00:00.000Z',
    ]);
    const graces = ['e1', 'e2'].map((id) => cli.store.entitlements.get(id));
    expect(graces.map((entitlement) => entitlement?.kind === 'subscription' && entitlement.graceUntil)).to.deep.equal([
      new Date('2026-09-18T12:00:00.000Z'),
      new Date('2026-10-18T12:00:00.000Z'),
    ]);
  });

  it('reads a count as a number or a text', async () => {
    const change = 'entitlement change-tier - --tier team --tier-name Team';
    const counts = [3, '4', 1.5, 121];
    const [, answers] = await batch(
      change,
      counts.map((intervalCount) => ({ id: 'e1', intervalCount })),
    );
    const rule = `intervalCount ${intervalCountRule.rule}.`;
    expect(answers.map(({ billingIntervalCount, error }) => billingIntervalCount ?? error)).to.deep.equal([
      3,
      4,
      rule,
      rule,
    ]);
  });

  it('prints the results that the single commands print', async () => {
    const terms = { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'month' };
    const [, [granted, onceOnly]] = await batch('entitlement grant -', [
      { ...terms, id: 'e3', licenseKey: 'k'.repeat(24), status: 'trialing' },
      { ...terms, interval: 'one_time' },
    ]);
    expect(granted).to.have.property('licenseKey', 'k'.repeat(24));
    expect(await cli.json('entitlement show e3')).to.deep.include(granted?.['entitlement']);
    expect(onceOnly?.['entitlement']).to.include({ kind: 'one_time' });

    const [, [rotated]] = await batch('license rotate -', [{ id: 'e3' }]);
    expect(rotated).to.have.all.keys('licenseKey');
    const [, [revoked]] = await batch('license revoke -', [{ id: 'e3' }]);
    expect(await cli.json('entitlement show e3')).to.deep.include(revoked);

    const [, [one, all]] = await batch('key issue -', [
      { product: 'p1', scope: ['read:entitlements', 'write:entitlements'] },
      { product: 'p1', scope: 'read:entitlements', expires: newEnd },
    ]);
    expect(one?.['scopes']).to.deep.equal(['read:entitlements', 'write:entitlements']);
    expect([all?.['scopes'], all?.['expiresAt']]).to.deep.equal([['read:entitlements'], '2026-09-18T12:00:00.000Z']);
    const [, [next]] = await batch('key rotate -', [{ id: one?.['id'], overlap: '1h' }]);
    expect(next).to.have.all.keys('id', 'key', 'productId', 'scopes', 'expiresAt');
    const [, [ended]] = await batch('key revoke -', [{ id: one?.['id'] }]);
    expect(ended).to.include({ expiresAt: '2026-07-18T13:00:00.000Z', revokedAt: '2026-07-18T12:00:00.000Z' });

    expect(await batch('product add -', [{ id: 'p2', name: 'Two' }])).to.deep.equal([
      0,
      [{ id: 'p2', name: 'Two', createdAt: '2026-07-18T12:00:00.000Z', ...plainFacts }],
      '',
    ]);
  });

  it('reports each refused line, makes the other changes, and exits with 1', async () => {
    const [exitCode, answers, stderr] = await batch('entitlement renew -', [
      { id: 'e1', periodEnd: newEnd },
      { id: 'unknown', periodEnd: newEnd },
      { id: 'e1', periodEnd: '2026-09-17T12:00:00.000Z' },
      { id: 'e2', grace: '1 day' },
      '',
      { id: 'e2', periodEnd: 'tomorrow' },
      { id: 'e2', periodEnd: newEnd },
    ]);
    expect([exitCode, stderr]).to.deep.equal([1, '4 of 6 lines were refused.\n']);
    expect(answers.map(({ line, id, code, error }) => [line, id, code, error])).to.deep.equal([
      [undefined, 'e1', undefined, undefined],
      [2, 'unknown', 'entitlement_not_found', 'There is no entitlement with this id.'],
      [
        3,
        'e1',
        'period_end_too_early',
        'The new end must be later than now and, in a renewal, later than the present end.',
      ],
      [4, 'e2', 'invalid_line', `grace ${durationRule.rule}.`],
      [
        6,
        'e2',
        'invalid_line',
        'periodEnd must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.',
      ],
      [undefined, 'e2', undefined, undefined],
    ]);
  });

  it('answers in the order of the lines, and changes the same entitlement in that order', async () => {
    const store = administrationOver(cli.store);
    let calls = 0;
    const openStore = async () => ({
      ...store,
      runEntitlementCommand: async (...parameters: Parameters<typeof store.runEntitlementCommand>) => {
        calls += 1;
        for (const _ of range(9 - (calls % 10))) await new Promise((resolve) => setImmediate(resolve));
        return store.runEntitlementCommand(...parameters);
      },
    });
    const ends = range(100).map((number) => new Date(Date.UTC(2027, 0, 1 + number)).toISOString());
    const lines = ends.flatMap((periodEnd) => ['e1', 'e2'].map((id) => ({ id, periodEnd })));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const { exitCode, stdout } = await cli.run(['entitlement', 'renew', '-'], text, { openStore });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(exitCode).to.equal(0);
    expect(answers.map(({ id, currentPeriodEnd: periodEnd }) => ({ id, periodEnd }))).to.deep.equal(lines);
  });

  it('answers a line before the next one comes', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const run = cli.run(['entitlement', 'suspend', '-'], '', { stdin, stdout });
    for (const id of ['e1', 'e2']) {
      stdin.write(`{"id":"${id}"}\n`);
      const [chunk]: readonly unknown[] = await once(stdout, 'data');
      expect(JSON.parse(String(chunk))).to.include({ id, status: 'suspended' });
    }
    stdin.end();
    expect((await run).exitCode).to.equal(0);
  });

  it('finishes the changes in progress after a signal, and reads no further line', async () => {
    const stopping = new AbortController();
    const stdin = new PassThrough();
    const stdout = new TextSink();
    const run = cli.run(['entitlement', 'suspend', '-', '--json'], '', {
      stdin,
      stdout,
      takeOverSignals: () => stopping.signal,
      openStore: async () => {
        const store = administrationOver(cli.store);
        return {
          ...store,
          runEntitlementCommand: async (...parameters: Parameters<typeof store.runEntitlementCommand>) => {
            stopping.abort('SIGINT');
            await new Promise((resolve) => setImmediate(resolve));
            return store.runEntitlementCommand(...parameters);
          },
        };
      },
    });
    stdin.write('{"id":"e1"}\n');
    await once(stopping.signal, 'abort');
    stdin.write('{"id":"e2"}\n');
    const { exitCode, stderr } = await run;
    expect([exitCode, JSON.parse(stderr)]).to.deep.equal([
      130,
      { code: 'interrupted', error: 'Interrupted after 1 lines; the changes of those are done, and no others.' },
    ]);
    expect(JSON.parse(stdout.text)).to.include({ id: 'e1', status: 'suspended' });
    expect(cli.store.entitlements.get('e2')).to.deep.include({ hold: { kind: 'none' } });
  });

  it('makes at most 64 changes concurrently, and finishes them before the store is closed', async () => {
    let underWay = 0;
    let max = 0;
    const openStore = async () => {
      const store = administrationOver(cli.store);
      return {
        ...store,
        runEntitlementCommand: async (...parameters: Parameters<typeof store.runEntitlementCommand>) => {
          underWay += 1;
          max = Math.max(max, underWay);
          await new Promise((resolve) => setImmediate(resolve));
          const answer = await store.runEntitlementCommand(...parameters);
          underWay -= 1;
          return answer;
        },
        close: async () => void expect(underWay).to.equal(0),
      };
    };
    for (const number of range(500)) await cli.json(`${grant} --id many-${number}`);
    const lines = range(500).map((number) => `{"id":"many-${number}"}\n`);
    const { exitCode } = await cli.run(['entitlement', 'suspend', '-'], lines.join(''), { openStore });
    expect(exitCode).to.equal(0);
    expect(max).to.be.within(2, 64);
  });

  it('does nothing without lines', async () => {
    expect(await batch('entitlement revoke -', [])).to.deep.equal([0, [], '']);
  });
});
