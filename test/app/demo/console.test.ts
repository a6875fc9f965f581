import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';
import { getPage, sendForm } from '../../support/web/page-client.ts';

describe('the console in the demo', () => {
  let child: ReturnType<typeof startNode>;
  let url: string;
  let key: string;
  const lines: string[] = [];
  before(async () => {
    const flags = ['demo', '--port', '0', '--log-format', 'json'];
    child = startNode([programPath, ...flags], { env: process.env });
    child.stderr.resume();
    const line = /^# The console.*: (?<url>\S+), with the operator key (?<key>\S+)$/;
    for await (const text of createInterface({ input: child.stdout })) {
      lines.push(text);
      const found = line.exec(text)?.groups;
      if (found === undefined) continue;
      ({ url = '', key = '' } = found);
      break;
    }
    child.stdout.resume();
  });
  after(async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  });

  it('prints the page of a buyer, who has two devices of the three that the tier allows', async () => {
    const [page = ''] = lines.at(-3)?.match(/(?<=^# The page of a buyer.*: )\S+$/) ?? [];
    const { status, text } = await getPage(page);
    expect(status).to.equal(200);
    for (const shown of ['Sketchpad', 'Desktop in the studio', 'Laptop', '2 of 3']) expect(text).to.include(shown);
  });

  it('prints last where to look with a browser, because that is what is still on the screen', () => {
    expect(lines.at(-2)).to.match(/^# In a browser: the marketplace at /);
    expect(lines.findLastIndex((text) => text.startsWith('curl '))).to.be.below(lines.length - 2);
    expect(lines.filter((text) => text.startsWith('curl '))).not.to.deep.equal([]);
  });

  it('takes the key that is printed, and shows purchases whose changes a receiver got and another one refused', async () => {
    const signedIn = await sendForm(`${url}/sign-in`, { key }, { 'Sec-Fetch-Site': 'same-origin' });
    const [Cookie = ''] = (signedIn.headers['set-cookie'] ?? '').split(';');
    const textOf = async (path: string): Promise<string> =>
      (await getPage(url + path, { headers: { Cookie, 'Sec-Fetch-Site': 'none' } })).text;
    expect([signedIn.status, signedIn.headers['location']]).to.deep.equal([303, '/console']);
    const entitlements = await textOf('/entitlements');
    for (const state of ['Active', 'Trial', 'Past due', 'Suspended', 'Expired', 'Revoked', 'order-1001'])
      expect(entitlements).to.include(state);
    const answersIn = async (path: string): Promise<readonly string[]> =>
      (await textOf(path)).match(/(?<=>)[25]\d\d(?=<)/g) ?? [];
    const taken = await eventually(
      () => answersIn('/entitlements/ent_sale_6'),
      ({ length }) => length === 3,
    );
    expect(taken).to.deep.equal(['204', '204', '204']);
    const refused = await eventually(
      () => answersIn('/webhooks/whk_broken'),
      ({ length }) => length > 0,
    );
    expect(refused).to.include('503');
  });
});
