import { statSync } from 'node:fs';
import { expect } from 'chai';
import { processShell } from '../../../../app/shell.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { administrationOver, commandSettings } from '../../../support/administration.ts';
import { anEvent, anOperatorSession, aRecord, aSubscription, day, hour, later } from '../../../support/builders.ts';
import { jsonError, TestCommandLine } from '../../../support/cli/command-line.ts';
import { temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';

describe('latchkey store', () => {
  const path = temporaryFile();
  let cli: TestCommandLine;
  beforeEach(() => {
    cli = new TestCommandLine();
  });

  it('checks a store and prints each finding', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['store', 'check']);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout.split('\n')).to.deep.equal([
      'The store can be opened.',
      'A store in memory has no schema.',
      'A store in memory has no file that could be damaged.',
      'A store in memory can be written.',
      'All 0 events are complete and in order.',
      'All 0 devices are counted in their entitlements.',
      'Each promotion that goes on is of an affiliate who has not ended, and each sale of a promotion.',
      'Each listing counts the storefronts that it has.',
      'All 0 statements add up, and each sale says what they say of it.',
      'The deliveries to every webhook endpoint are within the events that are kept.',
      'There are no signing keys yet: a server makes them at its start.',
      '',
    ]);
    expect(await cli.json('store check')).to.have.property('ok', true);
    expect([cli.opened.map(({ create }) => create), cli.closed]).to.deep.equal([[false, false], 2]);
  });

  it('prints what is not in order, and exits with 1', async () => {
    const damaged = { check: 'integrity', ok: false, message: 'The file is damaged.' } as const;
    const openStore = async () => ({ ...administrationOver(cli.store), checkStore: async () => [damaged] });
    const { exitCode, stdout, stderr } = await cli.run(['store', 'check', '--json'], '', { openStore });
    const findings = [
      { check: 'open', ok: true, message: 'The store can be opened.' },
      { check: 'integrity', ok: false, message: 'The file is damaged.' },
    ];
    expect(JSON.parse(stdout)).to.deep.equal({ ok: false, findings });
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('store_not_ok', 'The store is not in order.')]);
  });

  it('reports a store that cannot be opened like any other finding', async () => {
    const reasons = [
      [new UnusableStore('There is no store at x.'), 'There is no store at x.'],
      [new Refusal('store_unavailable'), 'The store cannot be used: it is out of reach or damaged.'],
    ] as const;
    for (const [reason, message] of reasons) {
      const openStore = () => Promise.reject(reason);
      const { exitCode, stdout } = await cli.run(['store', 'check', '--json'], '', { openStore });
      const findings = [{ check: 'open', ok: false, message }];
      expect([exitCode, JSON.parse(stdout)]).to.deep.equal([1, { ok: false, findings }]);
    }
  });

  it('backs up the store and prints the size of the copy', async () => {
    await (await openAt(`sqlite:${path()}`)).close();
    const { openStore } = processShell(() => new AbortController().signal);
    const backUp = (...args: readonly string[]) =>
      cli.run(['store', 'backup', ...args, '--store', `sqlite:${path()}`], '', { openStore });
    const [first, second] = [path('first.db'), path('second.db')];
    const { exitCode, stdout, stderr } = await backUp(first);
    const bytes = statSync(first).size;
    expect([exitCode, stdout, stderr]).to.deep.equal([0, `The store is copied: ${bytes} bytes.\n`, '']);
    expect(JSON.parse((await backUp(second, '--json')).stdout)).to.deep.equal({ file: second, bytes });
  });

  it('names the tool for backing up a store that is not one file', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['store', 'backup', 'copy.db', '--json']);
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/mongodump/);
  });

  it('removes what has expired or ended, and logs the numbers if there were any', async () => {
    await cli.json('product add --id prod_1 --name One');
    const { events, operatorSessions, buyerLinks } = cli.store;
    addOldRecord();
    const event = anEvent(aSubscription({ sequence: 1 }));
    const stored = [91, 90, 89, 0].map((days) => ({ event, storedAt: later(-days * day) }));
    events.set('prod_1', { removed: 0, stored });
    const { consoleIdle } = commandSettings;
    for (const age of [consoleIdle - 1, consoleIdle, consoleIdle + 1]) {
      const session = anOperatorSession({ digest: `${age}`, createdAt: later(-age), lastUsedAt: later(-age) });
      operatorSessions.set(session.digest, session);
    }
    const link = { subject: 'ent_1', appKeyId: null, returnUrl: null, isForLostKeys: false, createdAt: later(-day) };
    buyerLinks.set('ended', { ...link, digest: 'ended', expiresAt: later(0) });
    buyerLinks.set('open', { ...link, digest: 'open', expiresAt: later(1) });
    const pruned = { events: 2, sessions: 2, links: 1, trials: 0 };
    expect(await cli.json('store prune')).to.deep.equal({ removed: 1, ...pruned });
    expect((await cli.run(['store', 'prune'])).stdout).to.equal(
      'Expired records removed: 0.\nOld events removed: 0.\nEnded sessions removed: 0.\nEnded links removed: 0.\nOld trials removed: 0.\n',
    );
    expect(cli.changes.slice(1)).to.deep.equal([{ command: 'store prune', records: 1, ...pruned }]);
    expect(stored.map(({ storedAt }) => storedAt)).to.deep.equal([later(-89 * day), later(0)]);
    expect([...operatorSessions.keys(), ...buyerLinks.keys()]).to.deep.equal([`${consoleIdle - 1}`, 'open']);
  });

  it('removes nothing by a clock that is far ahead of the last server, unless it is told that the clock is right', async () => {
    const one = { removed: 1, events: 0, sessions: 0, links: 0, trials: 0 };
    addOldRecord();
    cli.store.clockMark = later(-3_600_001);
    const { exitCode, stdout, stderr } = await cli.run(['store', 'prune', '--json']);
    expect([exitCode, stdout, JSON.parse(stderr).code]).to.deep.equal([1, '', 'clock_ahead']);
    expect(cli.store.records.get('ent_1')?.size).to.equal(1);
    expect(await cli.json('store prune --accept-clock')).to.deep.equal(one);
    expect(cli.store.clockMark).to.deep.equal(later(0));
    addOldRecord();
    cli.store.clockMark = later(-3_600_000);
    expect(await cli.json('store prune')).to.deep.equal(one);
  });

  /** Adds an idempotency record that has expired. */
  function addOldRecord(): void {
    const old = aRecord(aSubscription(), { at: later(-100 * hour) });
    cli.store.records.set('ent_1', new Map([[old.key, old]]));
  }
});
