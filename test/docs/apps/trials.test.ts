import { expect } from 'chai';
import { startLatchkey, type Latchkey } from '../../../testing/index.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';

interface Answer {
  readonly data: { readonly startedAt: string; readonly receipt: { readonly receipt: string } };
}

describe('docs/trials.md', () => {
  let latchkey: Latchkey;

  afterEach(() => latchkey.stop());

  it('shows a request and what it is answered, member by member', async () => {
    const document = await readMarkdown('docs/trials.md');
    const [shown = ''] = document.codeBlocks('json');
    const example: Answer = JSON.parse(shown);
    const [offer = '', request = ''] = document.codeBlocks('sh');
    latchkey = await startLatchkey({ now: example.data.startedAt });
    expect(offer).to.include('--product sketchpad --id pro --device-limit 3 --feature export=true --trial 14d');
    await latchkey.putTier({
      productId: 'sketchpad',
      deviceLimit: 3,
      features: { export: true },
      trial: '14d',
    });
    const answer = await fetch(`${latchkey.url}/api/licenses/trial`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: /-d '(.*)'/.exec(request)?.[1] ?? '',
    });
    const { data, ...rest } = (await answer.json()) as Answer & { readonly correlationId: string };
    expect({ ...rest, correlationId: '' }).to.deep.equal({ success: true, correlationId: '' });
    const receipt = { ...data.receipt, receipt: example.data.receipt.receipt };
    expect({ ...data, receipt }).to.deep.equal(example.data);
    expect(data.receipt.receipt.startsWith(example.data.receipt.receipt.slice(0, -1))).to.equal(true);
  });
});
