import { expect } from 'chai';
import { installCommand } from '../../../adapters/stripe/client/install-command.ts';

describe("the command that installs Stripe's library", () => {
  for (const [where, url, command] of [
    [
      'in a checkout, whose files it leaves as they are',
      'file:///srv/shop/adapters/stripe/client/create-stripe.ts',
      'npm install --prefix /srv/shop --no-save --save-prod --omit=dev stripe@23',
    ],
    [
      'in an image',
      'file:///srv/latchkey/dist/adapters/stripe/client/create-stripe.js',
      'npm install --prefix /srv/latchkey --no-save --save-prod --omit=dev stripe@23',
    ],
    [
      'beside a package of a folder',
      'file:///home/ada/shop/node_modules/latchkey/dist/adapters/stripe/client/create-stripe.js',
      'npm install --prefix /home/ada/shop stripe@23',
    ],
    [
      'beside a global package, as the unit of systemd has it',
      'file:///opt/latchkey/lib/node_modules/latchkey/dist/adapters/stripe/client/create-stripe.js',
      'npm install --global --prefix /opt/latchkey stripe@23',
    ],
    [
      'in a folder whose name needs quotes',
      "file:///srv/ada's%20shop/adapters/stripe/client/create-stripe.ts",
      String.raw`npm install --prefix '/srv/ada'\''s shop' --no-save --save-prod --omit=dev stripe@23`,
    ],
  ] as const) {
    it(`works ${where}`, () => expect(installCommand(url)).to.equal(command));
  }
});
