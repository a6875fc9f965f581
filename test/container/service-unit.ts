import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { SystemdMachine } from './systemd-machine.ts';

describe('deploy/latchkey.service', () => {
  let machine: SystemdMachine;
  before(async () => {
    machine = await SystemdMachine.start();
    await serves();
  });
  after(() => machine.remove());

  /** Waits until the service answers. */
  async function serves(): Promise<void> {
    const valid = await eventually(
      () => machine.verify('a-key-that-nobody-has-bought'),
      (answer) => answer === false,
    );
    const log = await machine.exec('journalctl', '--no-pager', '--unit', 'latchkey', '--lines', '20');
    expect(valid, log).to.equal(false);
  }

  it('serves as its own user, and keeps what was sold over a restart and a kill', async () => {
    const owner = await machine.exec('stat', '--format', '%U', `/proc/${await machine.property('MainPID')}`);
    expect(owner).to.equal('latchkey\n');
    await machine.command('product add --id sketchpad --name Sketchpad');
    const grant = 'entitlement grant --product sketchpad --tier pro --tier-name Pro --interval month';
    const { licenseKey } = await machine.command(grant);
    const key = String(licenseKey);
    expect(await machine.verify(key)).to.equal(true);
    await machine.exec('systemctl', 'restart', 'latchkey');
    await serves();
    expect(await machine.verify(key)).to.equal(true);
    const before = await machine.property('MainPID');
    await machine.exec('systemctl', 'kill', '--signal', 'KILL', 'latchkey');
    await eventually(
      () => machine.property('MainPID'),
      (pid) => pid !== before && pid !== '0',
    );
    await serves();
    expect(await machine.verify(key)).to.equal(true);
  });

  it('has the console on loopback', async () => {
    const script = `const headers = { 'Sec-Fetch-Site': 'none' };
      console.log((await fetch('http://127.0.0.1:9100/console/sign-in', { headers })).status)`;
    expect(await machine.exec('node', '--input-type=module', '--eval', script)).to.equal('200\n');
  });

  it('reads the address of its store from a credential that its environment does not hold', async () => {
    const pid = await machine.property('MainPID');
    const environment = await machine.exec('cat', `/proc/${pid}/environ`);
    expect(environment).to.include('STORE_URL_FILE=/run/credentials/latchkey.service/store-url');
    expect(environment).not.to.include('sqlite:');
  });

  it('ends by itself within its grace, after which it would be killed', async () => {
    await machine.exec('systemctl', 'stop', 'latchkey');
    expect([await machine.property('ActiveState'), await machine.property('Result')]).to.deep.equal([
      'inactive',
      'success',
    ]);
  });

  it('is not started again for a wrong setting', async () => {
    await machine.exec('sh', '-c', 'echo LOG_LEVEL=loud > /etc/latchkey/settings');
    await machine.exec('systemctl', 'start', 'latchkey').catch(() => null);
    const state = await eventually(
      () => machine.property('ActiveState'),
      (is) => is === 'failed',
    );
    expect([state, await machine.property('NRestarts')]).to.deep.equal(['failed', '0']);
  });
});
