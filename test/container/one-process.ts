import { expect } from 'chai';
import packageJson from '../../package.json' with { type: 'json' };
import { eventually } from '../support/eventually.ts';
import { ComposeProject } from './compose-project.ts';
import { cancel, cancelAt, purchase, verify } from './purchase.ts';

describe('compose.yaml', () => {
  let project: ComposeProject;
  before(async () => {
    project = await ComposeProject.of('compose.yaml');
    await project.compose('up', '--detach', '--no-build');
    await project.healthy('latchkey');
  });
  after(() => project.remove());

  it('runs Node as an unprivileged user on a file system that is read only', async () => {
    const { Path, Config, HostConfig } = await project.container('latchkey');
    expect([Path, Config.User, HostConfig.ReadonlyRootfs]).to.deep.equal(['node', '1000:1000', true]);
    expect(Config.Labels['org.opencontainers.image.version']).to.equal(packageJson.version);
  });

  it('has the console on loopback', async () => {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'none' };
    const { status, url } = await fetch(project.consoleUrl, { headers });
    expect([status, url]).to.deep.equal([200, `${project.consoleUrl}/sign-in?next=%2Fconsole`]);
    expect(await (await fetch(url, { headers })).text()).to.include('name="key"');
  });

  it('keeps what was sold and canceled over a restart, a kill and new containers', async () => {
    const sold = await purchase(project, 'latchkey');
    expect(await verify(project, sold)).to.deep.equal([200, true]);
    const end = await cancel(project, sold);
    expect(end).to.be.a('string');

    const again = async (): Promise<readonly unknown[]> => {
      await project.healthy('latchkey');
      return [...(await verify(project, sold)), await cancelAt(project, sold)];
    };
    await project.compose('restart');
    expect(await again()).to.deep.equal([200, true, end]);
    await project.kill('latchkey');
    await project.compose('start');
    expect(await again()).to.deep.equal([200, true, end]);
    await project.compose('down');
    await project.compose('up', '--detach', '--no-build');
    expect(await again()).to.deep.equal([200, true, end]);
  });

  it('ends by itself within its grace, after which it would be killed', async () => {
    await project.compose('stop');
    const { State } = await project.container('latchkey');
    expect([State.Running, State.ExitCode]).to.deep.equal([false, 0]);
    expect(await project.compose('logs', '--no-color')).to.match(/"message":"stopping".*"message":"stopped"/s);
  });
});

describe('deploy/compose.backup.yaml', () => {
  let project: ComposeProject;
  before(async () => {
    project = await ComposeProject.of('compose.yaml', 'deploy/compose.backup.yaml');
    await project.compose('up', '--detach', '--no-build');
    await project.healthy('latchkey');
  });
  after(() => project.remove());

  const backups = async (): Promise<readonly string[]> =>
    (await project.compose('exec', '-T', 'backup', 'ls', '/backups')).trim().split('\n');

  it('makes a backup that is checked, and no further one when it is started again', async () => {
    const log = await eventually(
      () => project.compose('logs', '--no-color', 'backup'),
      (lines) => /are complete and in order/.test(lines) || lines.includes('has failed'),
    );
    expect(log).not.to.include('has failed');
    const made = await backups();
    expect(made).to.have.length(1);
    expect(made[0]).to.match(/^latchkey-\d{4}-\d{2}-\d{2}T\d{6}Z\.db$/);
    await project.compose('restart', 'backup');
    expect(await backups()).to.deep.equal(made);
  });

  it('stops at once', async () => {
    await project.compose('stop', 'backup');
    const { State } = await project.container('backup');
    expect([State.Running, State.ExitCode]).to.deep.equal([false, 0]);
  });
});
