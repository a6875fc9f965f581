import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { receiptCases } from '../support/client/receipt-cases.ts';
import {
  aLicensedEntitlement,
  issuedAt,
  licenseKey,
  receiptClaims,
  ReceiptSigner,
} from '../support/client/receipt-signer.ts';
import { readMarkdown, type Markdown } from '../support/documents/markdown.ts';
import { runModule } from '../support/documents/run-module.ts';

const languages = ['js', 'python', 'go', 'rust', 'java', 'swift', 'csharp'];

describe('docs/receipts.md', () => {
  const signer = new ReceiptSigner();
  const keys = JSON.stringify({ keys: [signer.publicKey] });
  const entitlement = aLicensedEntitlement({ productId: 'sketchpad' });
  const now = Math.floor(Date.now() / 1000);
  const receipt = signer.receipt(receiptClaims({ aud: 'sketchpad', iat: now, exp: now + 3600, entitlement }));
  let document: Markdown;
  let folder: string;
  let service: Server;

  before(async () => {
    document = await readMarkdown('docs/receipts.md');
    service = createServer((request, response) => {
      const isReceipt = request.url === '/api/licenses/receipt';
      response.end(JSON.stringify(isReceipt ? { success: true, data: { receipt } } : { valid: true, entitlement }));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await writeFile(join(folder, 'keys.json'), keys);
  });
  afterEach(() => rm(folder, { recursive: true }));
  after(() => service.close());

  /** Runs a program in the folder of its data. */
  const run = (program: string): Promise<string> => runModule(program, { cwd: folder, files: { 'keys.json': keys } });

  it('shows a gate that lets a program run after the service has gone, until its receipt ends', async () => {
    const [gate = ''] = document.codeBlocks('ts');
    const asked = `${gate}\nconsole.log(await mayRun('${licenseKey}'), await mayRun('another key of somebody'));`;
    const { port } = service.address() as AddressInfo;
    const inReach = asked.replace('https://licenses.example', `http://127.0.0.1:${port}`);
    const outOfReach = asked.replace('https://licenses.example', 'http://127.0.0.1:1');
    expect(await run(outOfReach)).to.equal('false false\n');
    expect(await run(inReach)).to.equal('true true\n');
    expect(await run(outOfReach)).to.equal('true false\n');
    const tomorrow = `now: () => new Date(${(now + 86_400) * 1000}), storage:`;
    expect(await run(outOfReach.replace('storage:', tomorrow))).to.equal('false false\n');
  });

  it('shows how to verify a receipt', async () => {
    const [, verify = ''] = document.codeBlocks('ts');
    const asked = `${verify}\nfor (const text of ['${receipt}', 'a receipt']) console.log(await tierOf(text, '${licenseKey}'));`;
    expect(await run(asked)).to.equal('pro\nnull\n');
  });

  it('names every reason', () => {
    const found = receiptCases(issuedAt).cases.map(({ expected }) => expected);
    const reasons = new Set(
      [...found, 'wrong_issuer', 'wrong_key', 'wrong_device'].filter((reason) => reason !== 'valid'),
    );
    expect(document.table('reason').map(([reason]) => reason)).to.have.members([...reasons]);
  });

  it('has a program in each language, of at most forty lines', () => {
    for (const language of languages) {
      const blocks = document.codeBlocks(language);
      expect(blocks, language).to.have.length(1);
      const lines = blocks[0]?.split('\n').filter((line) => line.trim() !== '') ?? [];
      expect(lines.length, language).to.be.at.most(40);
    }
  });
});
