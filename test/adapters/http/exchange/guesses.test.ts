import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import type { AuthenticateKey } from '../../../../core/key/check-key.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { send } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { aLatch, type Latch } from '../../../support/latch.ts';
import { range } from '../../../support/range.ts';
import { tally } from '../../../support/tally.ts';

describe('guesses at app keys from one address', () => {
  const start = populatedServices();

  /** A service whose look-ups of app keys wait for the latch. */
  async function startSlow(latch: Latch): Promise<{ readonly service: TestService; readonly lookUps: string[] }> {
    const lookUps: string[] = [];
    const service = await start({
      rateLimits: {},
      rebind: (container) => {
        const real = container.get(tokens.authenticate);
        const slow: AuthenticateKey<AppKey> = async (presented, call) => {
          lookUps.push(presented);
          await latch.released;
          return real(presented, call);
        };
        container.rebind(tokens.authenticate).toConstantValue(slow);
      },
    });
    return { service, lookUps };
  }

  it('are looked up twenty times a minute, however many come at once', async () => {
    const latch = aLatch();
    const { service, lookUps } = await startSlow(latch);
    const answers = statuses(
      service,
      range(100).map((index) => `svc_sk_live_guess-${index}`),
    );
    await allHaveArrived(service, lookUps);
    latch.release();
    expect(await answers).to.deep.equal({ 401: 20, 429: 80 });
    expect(lookUps).to.have.length(20);
  });

  it('are not made by a server that sends a hundred requests at once with a good key', async () => {
    const latch = aLatch();
    const { service, lookUps } = await startSlow(latch);
    const answers = statuses(service, Array<string>(100).fill(appKeys.full));
    await allHaveArrived(service, lookUps);
    latch.release();
    expect(await answers).to.deep.equal({ 200: 100 });
  });

  it('leave room for good keys until there are twenty', async () => {
    const latch = aLatch();
    const { service } = await startSlow(latch);
    const keys = range(80).map((index) => (index % 5 === 0 ? 'svc_sk_live_a-guess' : appKeys.full));
    latch.release();
    expect(await statuses(service, keys)).to.deep.equal({ 200: 64, 401: 16 });
  });
});

async function statuses({ url }: TestService, keys: readonly string[]): Promise<Record<string, number>> {
  const replies = await Promise.all(
    keys.map((key) => send(`${url}/api/app-entitlements/ent_1`, { headers: [bearer(key)] })),
  );
  return tally(replies.map(({ status }) => ({ kind: String(status) })));
}

/** Waits until the first requests are looked up and those sent after them have been answered. */
async function allHaveArrived({ url }: TestService, lookUps: readonly string[]): Promise<void> {
  await waitUntil(() => lookUps.length >= 20);
  for (const _ of range(10)) expect((await send(`${url}/livez`)).status).to.equal(200);
}
