import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { loggerTo } from '../../../app/service/logger.ts';
import { outputs, OutputSearch, secretsIn } from './output-search.ts';

const root = join(import.meta.dirname, '../../..');
const appKey = 'svc_sk_live_0123456789abcdefghijklmnopqrstuv012345';
const licenseKey = 'LK-01234-56789-ABCDE-FGHJK-MNPQR-STVWX';
const address = 'Ada.Lovelace@mail.example.com';

describe('the search of all output for secrets', () => {
  const planted: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
    ['an app key', `{"key":"${appKey}"}`, ['app key']],
    ['the beginning of an app key', 'Bearer svc_sk_live_', ['app key']],
    ['an operator key', 'Bearer svc_op_live_', ['operator key']],
    ['a license key', `rotated ${licenseKey}.`, ['license key']],
    ['a license key in lower case', licenseKey.toLowerCase(), ['license key']],
    ['an imported key', 'no a-key-that-was-sold-elsewhere', ['license key']],
    ['a key that could be guessed', 'ACME-LICENSE-OF-2026-00000001', ['license key']],
    ['an idempotency key', 'key-00000001', ['idempotency key']],
    ['an address', `duplicate "${address}"`, ['address']],
    ['an address in angle brackets', '<ada@example.com>', ['address']],
    ['two of them', `${address} has ${licenseKey}`, ['license key', 'address']],
    ['nothing in ids', '{"id":"key_0123","entitlementId":"ent_LK-12345-67890","slug":"quiet-editor"}', []],
    ['nothing in a place of the program', 'at node_modules/@scope/name.js:1:1 (name@1.2.3)', []],
  ];
  for (const [what, text, found] of planted) {
    it(`finds ${what}`, () => expect(secretsIn(text)).to.deep.equal(found));
  }

  it('finds secrets in logs, and names the line', () => {
    const search = new OutputSearch();
    const log = loggerTo({ write: (line) => search.log('the log', line) });
    log.info({ status: 200 }, 'request');
    log.error({ err: new Error(`no ${licenseKey}`) }, 'fault');
    expect(search.found).to.have.length(1);
    expect(search.found[0]).to.match(/^the log tells license key: .*LK-01234/);
  });

  it('finds secrets in both outputs of a process, also in pieces and without a newline', async () => {
    const search = new OutputSearch();
    const script = `
      process.stdout.write('${appKey.slice(0, 5)}');
      setTimeout(() => process.stdout.write('${appKey.slice(5)}\\n'), 20);
      process.stderr.write('first\\n${address}');`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'pipe' });
    search.watch(child, ['serve']);
    outputs.leave(child);
    await once(child, 'close');
    expect(search.found.toSorted()).to.deep.equal([
      `standard error of serve tells address: ${address}`,
      `standard output of serve tells app key: ${appKey}`,
    ]);
  });

  it('allows a command only the secrets that it exists to print', () => {
    const all = [appKey, licenseKey, address].join('\n');
    const told = (line: string): number => {
      const search = new OutputSearch();
      search.stdout(line.split(' '), all);
      return search.found.length;
    };
    const lines = ['key issue --product p1', '--json key rotate k', 'entitlement grant -', 'license rotate e1'];
    expect([...lines, 'waitlist export'].map(told)).to.deep.equal([2, 2, 2, 2, 2]);
    expect(['demo --port 0', 'key list', 'serve', 'waitlist erase -', 'entitlement import f'].map(told)).to.deep.equal([
      0, 3, 3, 3, 3,
    ]);
    const search = new OutputSearch();
    search.log('standard error of demo', all);
    expect(search.found).to.have.length(3);
  });

  it('names a process of Node whose output no test searches', async () => {
    const search = new OutputSearch();
    const release = search.requireOfEveryProcess();
    const [forgotten, watched, left] = [run('1'), run('2'), run('3')];
    search.watch(watched, []);
    search.leave(left);
    for (const child of [forgotten, watched, left]) outputs.leave(child);
    await Promise.all([forgotten, watched, left].map((child) => once(child, 'close')));
    await setImmediate();
    release();
    expect(search.found).to.deep.equal([`not searched: ${process.execPath} -e 1`]);
    const after = run('4');
    outputs.leave(after);
    await once(after, 'close');
    expect(search.found).to.have.length(1);
  });

  it('is checked at the end of every run', () => {
    const hooks = 'test/support/run/root-hooks.ts';
    expect(JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8'))).to.have.property('require', hooks);
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).not.to.match(/\bmocha\b/);
  });
});

function run(script: string): ChildProcess {
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}
