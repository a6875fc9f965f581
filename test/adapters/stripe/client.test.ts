import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { askStripe, asUnavailable, findAtStripe, StripeTooSlow } from '../../../adapters/stripe/client/ask-stripe.ts';
import {
  createStripe,
  loadStripe,
  StripeNotInstalled,
  type StripeClient,
} from '../../../adapters/stripe/client/create-stripe.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, deadlineIn } from '../../support/builders.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('the client of Stripe', () => {
  let server: Server;
  let stripe: StripeClient;
  let answer: readonly [status: number, body: object] | null;

  before(async () => {
    server = createServer((_request, response) => {
      if (answer === null) return;
      response.writeHead(answer[0], { 'Content-Type': 'application/json' }).end(JSON.stringify(answer[1]));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    stripe = await createStripe({ apiKey: 'sk_test_1', apiBase: `http://127.0.0.1:${port}` });
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const find = (): Promise<unknown> =>
    findAtStripe(aCall(), (options) => stripe.checkout.sessions.retrieve('cs_secret', {}, options));

  it('says how to install the library where it is missing, and only then', async () => {
    const missing = Object.assign(new Error('no module'), { code: 'ERR_MODULE_NOT_FOUND' });
    const error = await thrownBy(loadStripe(() => Promise.reject(missing)));
    expect(error).to.be.instanceOf(StripeNotInstalled);
    expect(error)
      .to.have.property('message')
      .that.match(/Run: npm install .* stripe@23$/);
    const broken = new Error('broken');
    expect(await thrownBy(loadStripe(() => Promise.reject(broken)))).to.equal(broken);
  });

  it('finds nothing where Stripe knows nothing', async () => {
    answer = [
      404,
      { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such cs_secret' } },
    ];
    expect(await find()).to.equal(null);
  });

  it('makes a refusal of every other error, whose cause does not quote what Stripe says', async () => {
    answer = [401, { error: { type: 'invalid_request_error', message: 'cs_secret and sk_test_1' } }];
    const refusal = asUnavailable(await thrownBy(find()));
    expect(refusal).to.be.instanceOf(Refusal).that.has.property('code', 'stripe_unavailable');
    expect(refusal.details.cause).to.have.property('message', 'StripeAuthenticationError (401)');
    expect(asUnavailable(refusal)).to.equal(refusal);
  });

  it('waits no longer than the call', async () => {
    answer = null;
    const call = aCall({ deadline: deadlineIn(50) });
    const asked = askStripe(call, () => stripe.balance.retrieve({}, { timeout: 80_000 }));
    expect(await thrownBy(asked)).to.be.instanceOf(StripeTooSlow);
    const late = askStripe(aCall({ deadline: deadlineIn(0) }), () => Promise.reject(new Error('was asked')));
    expect(await thrownBy(late)).to.be.instanceOf(StripeTooSlow);
  });
});
