import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { ComposeProject } from './compose-project.ts';
import { cancel, cancelAt, purchase, verify } from './purchase.ts';

describe('compose.mongo.yaml', () => {
  let project: ComposeProject;
  before(async () => {
    project = await ComposeProject.of('compose.mongo.yaml');
    await project.compose('up', '--detach', '--no-build');
    await bothAreReady();
  });
  after(() => project.remove());

  async function bothAreReady(): Promise<void> {
    await project.healthy('latchkey-1');
    await project.healthy('latchkey-2');
    const ready = (): Promise<number> =>
      fetch(`${project.url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await eventually(ready, (status) => status === 200)).to.equal(200);
  }

  it('answers every request while one process is killed, and loses nothing by a restart of all', async () => {
    const sold = await purchase(project, 'latchkey-1');
    const verifications: Promise<readonly [number, unknown]>[] = [];
    const traffic = setInterval(() => verifications.push(verify(project, sold)), 10);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await project.kill('latchkey-1');
    await new Promise((resolve) => setTimeout(resolve, 4000));
    clearInterval(traffic);
    const answers = await Promise.all(verifications);
    expect(answers.length).to.be.above(200);
    expect(answers.filter(([status, valid]) => status !== 200 || valid !== true)).to.deep.equal([]);

    const end = await cancel(project, sold);
    expect(end).to.be.a('string');
    await project.compose('restart');
    await bothAreReady();
    expect([...(await verify(project, sold)), await cancelAt(project, sold)]).to.deep.equal([200, true, end]);
    expect(await project.command('latchkey-2', 'entitlement show ent_1')).to.include({ id: 'ent_1', cancelAt: end });
  });

  it('serves on while a server of the store is killed', async () => {
    const { id } = await project.command('latchkey-2', 'product add --id other --name Other');
    await project.kill('mongo-1');
    const added = async (): Promise<unknown> => project.command('latchkey-1', 'product list').catch(() => null);
    const products = await eventually(added, (list) => JSON.stringify(list)?.includes('"other"'));
    expect([id, JSON.stringify(products)]).to.deep.equal(['other', JSON.stringify(products)]);
    await project.compose('start', 'mongo-1');
  });

  it('ends each process by itself within its grace, after which it would be killed', async () => {
    await project.compose('stop');
    for (const service of ['latchkey-1', 'latchkey-2', 'proxy', 'mongo-2']) {
      const { State } = await project.container(service);
      expect([service, State.Running, State.ExitCode]).to.deep.equal([service, false, 0]);
    }
  });
});
