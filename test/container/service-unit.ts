import { expect } from 'chai';
import { readMarkdown } from '../support/documents/markdown.ts';
import { eventually } from '../support/eventually.ts';
import { SystemdMachine } from './systemd-machine.ts';

const grant = 'entitlement grant --product sketchpad --tier pro --tier-name Pro --interval month';
const deploy = '/opt/latchkey/lib/node_modules/latchkey/deploy';

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

  it('has a timer whose service makes a backup that is checked, for its own user only', async () => {
    await machine.exec('sh', '-c', `cp ${deploy}/latchkey-backup.* /etc/systemd/system/ && systemctl daemon-reload`);
    await machine.exec('systemctl', 'enable', '--now', 'latchkey-backup.timer');
    await machine.exec('systemctl', 'start', 'latchkey-backup');
    const listed = await machine.exec('find', '/var/lib/latchkey-backups', '-type', 'f', '-printf', '%f %u %m\\n');
    expect(listed).to.match(/^latchkey-\d{4}-\d{2}-\d{2}T\d{6}Z\.db latchkey 600\n$/);
    expect(await machine.exec('systemctl', 'is-active', 'latchkey-backup.timer')).to.equal('active\n');
  });

  it('reads the secrets of Stripe from credentials, by the drop-in', async () => {
    const folder = '/etc/systemd/system/latchkey.service.d';
    await machine.exec('sh', '-c', `mkdir -p ${folder} && cp ${deploy}/latchkey.service.d/stripe.conf ${folder}`);
    const secrets =
      'cd /etc/latchkey && umask 077 && echo rk_test_1 > stripe-api-key && echo whsec_1 > stripe-webhook-secret';
    await machine.exec('sh', '-c', secrets);
    await machine.exec('systemctl', 'daemon-reload');
    await machine.exec('systemctl', 'restart', 'latchkey').catch(() => null);
    // Without Stripe's library the key is read, and nothing is served.
    const log = await eventually(
      () => machine.exec('journalctl', '--no-pager', '--unit', 'latchkey', '--lines', '20'),
      (lines) => lines.includes('stripe@23'),
    );
    expect(log).to.include("STRIPE_API_KEY is set, but Stripe's library is not installed");
    expect(log).to.include('npm install --global --prefix /opt/latchkey stripe@23');
    // The effect of that command, without a registry.
    await machine.exec('cp', '--recursive', '/opt/stripe', '/opt/latchkey/lib/node_modules/stripe');
    await machine.exec('systemctl', 'restart', 'latchkey');
    await serves();
    await machine.exec('rm', `${folder}/stripe.conf`);
    await machine.exec('systemctl', 'daemon-reload');
    await machine.exec('systemctl', 'restart', 'latchkey');
    await serves();
  });

  it('reads the address of the mail server from a credential, by the drop-in', async () => {
    const folder = '/etc/systemd/system/latchkey.service.d';
    await machine.exec('sh', '-c', `mkdir -p ${folder} && cp ${deploy}/latchkey.service.d/mail.conf ${folder}`);
    await machine.exec('sed', '--in-place', 's/^#Environment=/Environment=/', `${folder}/mail.conf`);
    const address = 'smtps://ada:secret@127.0.0.1:1';
    await machine.exec('sh', '-c', `umask 077 && echo ${address} > /etc/latchkey/smtp-url`);
    await machine.exec('systemctl', 'daemon-reload');
    await machine.exec('systemctl', 'restart', 'latchkey');
    await serves();
    const environment = await machine.exec('cat', `/proc/${await machine.property('MainPID')}/environ`);
    expect(environment).to.include('SMTP_URL_FILE=/run/credentials/latchkey.service/smtp-url');
    expect(environment).to.include('MAIL_FROM=Shop <keys@shop.example>');
    expect(environment).not.to.include('secret');
    const { key } = await machine.command('operator issue --name Mail --scope admin:entitlements');
    const { entitlement } = await machine.command(grant);
    const { id } = entitlement as { readonly id: string };
    const script = `const [key, id] = process.argv.slice(1);
      const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ to: 'ada@example.com' }) };
      const answer = await fetch('http://127.0.0.1:9100/admin/entitlements/' + id + '/mail', init);
      console.log(await answer.text());`;
    const answer = await machine.exec('node', '--input-type=module', '--eval', script, String(key), id);
    expect(answer).to.include('The mail was not sent: failed (econnrefused).');
  });

  it('runs from a checkout, as the document says', async () => {
    const document = await readMarkdown('docs/install.md');
    const [steps = ''] = document.codeBlocks('console').filter((block) => block.includes('cd /srv/latchkey'));
    await machine.exec('mkdir', '/srv/latchkey');
    await machine.copyCheckout('/srv/latchkey');
    // The effect of `npm ci`, without a registry.
    const packages = '/opt/latchkey/lib/node_modules/latchkey/node_modules';
    await machine.exec('ln', '--symbolic', packages, '/srv/latchkey/node_modules');
    await machine.exec('sh', '-c', steps.replace('npm ci --omit=dev', 'true'));
    await machine.exec('systemctl', 'restart', 'latchkey');
    await serves();
    const started = await machine.exec('cat', `/proc/${await machine.property('MainPID')}/cmdline`);
    expect(started.split('\0')).to.include('/srv/latchkey/app/main.js');
    await machine.exec('systemctl', 'start', 'latchkey-backup');
    expect(await machine.exec('systemctl', 'cat', 'latchkey-backup')).to.include('/srv/latchkey/deploy/backup.sh');
  });

  it('takes the store of a checkout, as the first sale says', async () => {
    const document = await readMarkdown('docs/first-sale.md');
    const [steps = ''] = document.codeBlocks('console').filter((block) => block.includes('systemctl stop latchkey'));
    const sale = `cd /srv/latchkey && ./latchkey product add --id moved --name Moved && mkdir -p backups`;
    await machine.exec('sh', '-ec', `${sale}\n${steps.replace('…', '*')}`);
    await serves();
    const list = '/srv/latchkey/latchkey product list --store sqlite:/var/lib/latchkey/latchkey.db --json';
    expect(await machine.exec('runuser', '-u', 'latchkey', '--', ...list.split(' '))).to.include('"moved"');
    const owner = await machine.exec('stat', '--format', '%U %a', '/var/lib/latchkey/latchkey.db');
    expect(owner).to.equal('latchkey 600\n');
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
