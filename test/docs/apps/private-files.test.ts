import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { startLatchkey, type GrantOptions, type Latchkey } from '../../../testing/index.ts';
import { day } from '../../support/builders.ts';
import { inCheckout } from '../../support/documents/in-checkout.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';

interface Worker {
  fetch(request: Request, settings: Readonly<Record<string, string>>): Promise<Response>;
}

const settings = { FILES_URL: 'https://files.example', FILES_SECRET: 'a secret of the server of files' };

describe('the worker of docs/updates.md', () => {
  let folder: string;
  let latchkey: Latchkey;
  let worker: Worker;
  let receipt: string;

  before(async () => {
    latchkey = await startLatchkey();
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const document = await readMarkdown('docs/updates.md');
    const [releases = ''] = document.codeBlocks('json');
    const [, , program = ''] = document.codeBlocks('js');
    expect(program.split('\n').filter((line) => line !== '').length).to.be.at.most(31);
    const keys = await fetch(`${latchkey.url}/.well-known/jwks.json`);
    await writeFile(join(folder, 'keys.json'), await keys.text());
    await writeFile(join(folder, 'releases.json'), releases);
    await writeFile(join(folder, 'worker.mjs'), inCheckout(program));
    const module = (await import(pathToFileURL(join(folder, 'worker.mjs')).href)) as { readonly default: Worker };
    worker = module.default;
    receipt = await receiptOf({ productId: 'sketchpad', updatesUntil: '2026-12-01T00:00:00Z' });
  });
  after(async () => {
    await latchkey.stop();
    await rm(folder, { recursive: true });
  });

  async function receiptOf(terms: GrantOptions): Promise<string> {
    const start = { billingInterval: 'one_time', currentPeriodStart: '2026-01-01T00:00:00Z' } as const;
    const { licenseKey } = await latchkey.grant({ ...start, ...terms });
    const { productId } = terms;
    return (await latchkey.client(productId).licenses.receipt(licenseKey, { productId })).receipt;
  }

  function ask(path: string, shown: string | null): Promise<Response> {
    const headers = shown === null ? {} : { 'License-Receipt': shown };
    return worker.fetch(new Request(`https://dl.example${path}`, { headers }), settings);
  }

  async function refusal(path: string, shown: string | null): Promise<string> {
    const answer = await ask(path, shown);
    expect(answer.headers.get('location')).to.equal(null);
    return `${answer.status} ${await answer.text()}`;
  }

  it('redirects to a signed address that ends after five minutes, for a release that the license covers', async () => {
    for (const path of ['/2.1.0/latest.yml', '/2.2.0/Sketchpad%20Setup.exe']) {
      const earliest = Math.floor(Date.now() / 1000) + 300;
      const answer = await ask(path, receipt);
      expect(answer.status).to.equal(302);
      const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
      expect([origin, pathname]).to.deep.equal([settings.FILES_URL, path]);
      const expires = searchParams.get('expires') ?? '';
      expect(Number(expires)).to.be.within(earliest, Math.floor(Date.now() / 1000) + 300);
      const signature = createHmac('sha256', settings.FILES_SECRET).update(`${path}\n${expires}`).digest('hex');
      expect(searchParams.get('signature')).to.equal(signature);
    }
    const unlimited = await receiptOf({ productId: 'sketchpad' });
    expect((await ask('/3.0.0/latest.yml', unlimited)).status).to.equal(302);
  });

  it('refuses a release that the license does not cover, and paths of no release', async () => {
    expect(await refusal('/3.0.0/latest.yml', receipt)).to.equal('403 updates_ended\n');
    for (const path of ['/', '/2.2.0', '/2.2.1/latest.yml', '/2.2.0/..%2f3.0.0/latest.yml', '/2.2.0/..%5C3.0.0/a.zip'])
      expect(await refusal(path, receipt), path).to.equal('404 no such file\n');
    expect(await refusal('/2.2.0/%2e%2e/3.0.0/latest.yml', receipt)).to.equal('403 updates_ended\n');
  });

  it('refuses what is no receipt of a license of the product', async () => {
    const path = '/2.1.0/latest.yml';
    expect(await refusal(path, null)).to.equal('401 no receipt\n');
    expect(await refusal(path, 'a receipt')).to.equal('403 malformed\n');
    const changed = `${receipt.slice(0, -8)}${receipt.at(-8) === 'A' ? 'B' : 'A'}${receipt.slice(-7)}`;
    expect(await refusal(path, changed)).to.equal('403 bad_signature\n');
    expect(await refusal(path, await receiptOf({ productId: 'notes' }))).to.equal('403 wrong_product\n');
    await latchkey.putTier({ productId: 'sketchpad', trial: '14d' });
    const { licenses } = latchkey.client('sketchpad');
    const trial = await licenses.trial('sketchpad', { deviceId: 'machine-1' });
    expect(await refusal(path, trial.receipt.receipt)).to.equal('403 malformed\n');
    const now = latchkey.clock.now();
    await latchkey.clock.set(new Date(now.getTime() - 30 * day));
    const old = await receiptOf({ productId: 'sketchpad' });
    await latchkey.clock.set(now);
    expect(await refusal(path, old)).to.equal('403 expired\n');
  });
});
