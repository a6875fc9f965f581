import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { installCommand } from '../../adapters/stripe/client/install-command.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';

/** Makes `import('stripe')` fail as it does where the package is not installed. */
const withoutStripe = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'stripe') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(specifier, context);
    },
  });`;

const programUrl = new URL('../../adapters/stripe/client/create-stripe.ts', import.meta.url).href;

describe('latchkey serve without the package stripe', () => {
  const hooks = `data:text/javascript,${encodeURIComponent(withoutStripe)}`;

  it('says how to install it, if there is a key, and opens nothing', async () => {
    const env = { ...process.env, STORE_URL: 'sqlite:/nowhere/latchkey.db', STRIPE_API_KEY: 'sk_test_1' };
    const child = startNode(['--import', hooks, programPath, 'serve', '--json'], { env });
    const errors = text(child.stderr);
    const [code] = (await once(child, 'close')) as readonly unknown[];
    const ended = [code, JSON.parse(await errors)];
    expect(ended).to.deep.equal([
      1,
      {
        code: 'stripe_not_installed',
        error: `STRIPE_API_KEY is set, but Stripe's library is not installed. Run: ${installCommand(programUrl)}`,
      },
    ]);
  });
});
