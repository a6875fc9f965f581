import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOf } from '../../../docs/generate/repository.ts';
import { runScript } from '../../support/documents/shell.ts';

describe('fakeStripe', () => {
  it('needs no package stripe, and lets the process end', async () => {
    const program = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier === 'stripe' || specifier.startsWith('stripe/')) throw new Error('stripe is not installed');
          return next(specifier, context);
        },
      });
      const { fakeStripe } = await import('${fileOf('testing/index.ts')}');
      const shop = await fakeStripe();
      const { subscription } = await shop.subscribe();
      const answer = await fetch(shop.url + '/v1/subscriptions/' + subscription, {
        headers: { Authorization: 'Bearer ' + shop.apiKey },
      });
      console.log((await answer.json()).status);`;
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await writeFile(join(folder, 'program.ts'), program);
    const printed = await runScript(`timeout 600 '${process.execPath}' --no-warnings '${folder}/program.ts'`);
    await rm(folder, { recursive: true });
    expect(printed).to.equal('active\n');
  });
});
