import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import { fileOf } from '../../docs/generate/repository.ts';
import { startLatchkey } from '../../testing/index.ts';
import { runScript } from '../support/documents/shell.ts';
import { eventually } from '../support/eventually.ts';
import { answerWith, Receiver } from '../support/webhooks/receiver.ts';

describe('the webhooks of startLatchkey', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  it('reach a receiver of the test, signed by the clock of the machine, and are repeated by that of the service', async () => {
    await using latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z' });
    const { webhooks, products } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    await products.put('sketchpad', { name: 'Sketchpad' });
    const { id, secret } = await webhooks.add({ url: receiver.url, productId: 'sketchpad' });
    receiver.secrets = [secret ?? ''];
    expect(await webhooks.test(id)).to.deep.equal({ delivered: true, answer: 'status 204' });
    receiver.answer = answerWith(500);
    await latchkey.grant({ productId: 'sketchpad' });
    await eventually(
      async () => receiver.received,
      ({ length }) => length === 2,
    );
    receiver.answer = answerWith(204);
    await eventually(
      async () => {
        await latchkey.clock.advance('1m');
        return receiver.accepted;
      },
      ({ length }) => length === 2,
    );
    expect(receiver.accepted.map(({ type }) => type)).to.deep.equal(['webhook.test', 'entitlement.granted']);
    expect(receiver.forged).to.deep.equal([]);
  });

  it('let the process end, as the whole service does', async () => {
    const program = `
      import { startLatchkey } from '${fileOf('testing/index.ts')}';
      import { LatchkeyAdmin } from '${fileOf('client/admin/index.ts')}';
      const { adminUrl: baseUrl, operatorKey, grant, client } = await startLatchkey();
      const { licenseKey } = await grant({ productId: 'sketchpad' });
      await new LatchkeyAdmin({ baseUrl, operatorKey }).webhooks.add({ url: '${receiver.url}' });
      console.log((await client('sketchpad').licenses.verify(licenseKey)).verdict);`;
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await writeFile(join(folder, 'program.ts'), program);
    const printed = await runScript(`'${process.execPath}' --no-warnings '${folder}/program.ts'`);
    await rm(folder, { recursive: true });
    expect(printed).to.equal('valid\n');
  });
});
