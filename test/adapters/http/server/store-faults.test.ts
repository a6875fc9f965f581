import { expect } from 'chai';
import type { ServiceIdentifier } from 'inversify';
import { tokens } from '../../../../app/service/tokens.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall, aListing, aSubscription } from '../../../support/builders.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { failing, moments, type Fault } from '../../../support/failing.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { interposing, type Rebind } from '../../../support/http/interposing.ts';
import { corsHeaders, notVerified, refused } from '../../../support/http/replies.ts';
import { startService } from '../../../support/http/service-hooks.ts';
import type { ServiceOptions, TestService } from '../../../support/http/test-service.ts';
import { aLatch } from '../../../support/latch.ts';
import { memory } from '../../../support/stores/stores.ts';

const key = 'key-00000001';
const license = { licenseKey: 'a-license-key-of-a-buyer' };
const down = new Refusal('store_unavailable', { cause: new Error('the store is down') });
const away = 'The service cannot reach its data right now. Repeat the request.';
const unavailable = refused(500, 'store_unavailable', away, { 'retry-after': '1' });
const internal = refused(500, 'internal_error', 'Something went wrong on our side.');

/** Replaces a port with one that fails once. */
function breaking<Port extends object>(token: ServiceIdentifier<Port>, fault: Fault<Port>): Rebind {
  return (container) => {
    const real = container.get(token);
    container.rebind(token).toConstantValue(failing(real, fault));
  };
}

/** Makes a method of a port never answer. The call takes effect nevertheless if `reaches` is true. */
function silencing<Port extends object>(token: ServiceIdentifier<Port>, method: keyof Port, reaches: boolean): Rebind {
  return interposing(token, method, async (carryOut) => {
    if (reaches) await carryOut();
    return new Promise(() => {});
  });
}

async function during(overrides: ServiceOptions, work: (service: TestService) => Promise<void>) {
  const service = await startService(memory, overrides);
  try {
    await service.grant(aSubscription());
    await work(service);
  } finally {
    await service.stop();
  }
}

const faults: readonly (readonly [what: string, error: Error | null, reply: Reply])[] = [
  ['cannot be reached', down, unavailable],
  ['breaks in a way that nobody foresaw', null, internal],
];

describe('a service whose store', () => {
  for (const [what, error, reply] of faults) {
    const fault = { nth: 1, when: 'before', ...(error === null ? {} : { error }) } as const;

    it(`${what} says so of a license, and verifies it the next time`, async () => {
      const rebind = breaking(tokens.licenses, { ...fault, method: 'find' });
      await during({ rebind }, async (service) => {
        const { 'error-code': code = '', 'retry-after': retryAfter } = reply.headers;
        const more = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
        const message = error === null ? 'Something went wrong on our side.' : away;
        expect(await service.verify(license)).to.deep.equal(notVerified(500, code, message, more));
        expect((await service.verify(license)).status).to.equal(200);
      });
    });

    it(`${what} says so of an entitlement, and reads it the next time`, async () => {
      const rebind = breaking(tokens.entitlements, { ...fault, method: 'find' });
      await during({ rebind }, async (service) => {
        expect(await service.read('ent_1')).to.deep.equal(reply);
        expect((await service.read('ent_1')).status).to.equal(200);
      });
    });

    it(`${what} says so of the catalog, and shows it as soon as it was read`, async () => {
      let isAway = true;
      const rebind = interposing(tokens.listings, 'load', async (carryOut) => {
        if (isAway) throw error ?? new Error('what nobody foresaw');
        return carryOut();
      });
      await during({ rebind }, async (service) => {
        await service.container.get(tokens.listings).put([aListing({ slug: 'tidy' })], aCall());
        const nothing = refused(500, 'store_unavailable', away, { ...corsHeaders, 'retry-after': '1' });
        const paths = ['/api/marketplace/listings', '/api/marketplace/listings/tidy'];
        for (const path of paths) expect(await service.send(path), path).to.deep.equal(nothing);
        isAway = false;
        await waitUntil(() => service.container.get(tokens.catalogIndex).isFresh());
        for (const path of paths) expect((await service.send(path)).status, path).to.equal(200);
      });
    });

    it(`${what} says so of an app key, and lets it in the next time`, async () => {
      const rebind = breaking(tokens.appKeys, { ...fault, method: 'find' });
      await during({ rebind }, async (service) => {
        expect(await service.read('ent_1')).to.deep.equal(reply);
        expect((await service.read('ent_1')).status).to.equal(200);
      });
    });

    it(`${what} says so of a key's record, and knows the entitlement as unknown the next time`, async () => {
      const rebind = breaking(tokens.idempotencyRecords, { ...fault, method: 'find' });
      await during({ rebind }, async (service) => {
        expect(await service.change('ent_unknown/cancel', key)).to.deep.equal(reply);
        expect((await service.change('ent_unknown/cancel', key)).status).to.equal(404);
      });
    });

    for (const when of moments) {
      it(`${what} ${when} a change has one effect in all when the client repeats the request`, async () => {
        const rebind = breaking(tokens.entitlements, { ...fault, when, method: 'replace' });
        await during({ rebind }, async (service) => {
          expect(await service.change('ent_1/cancel', key)).to.deep.equal(reply);
          expect((await service.stored()).map(({ version }) => version)).to.deep.equal([when === 'before' ? 1 : 2]);
          const retry = await service.change('ent_1/cancel', key);
          const replayed = when === 'before' ? undefined : 'true';
          expect([retry.status, retry.headers['idempotent-replayed']]).to.deep.equal([200, replayed]);
          expect((await service.stored()).map(({ version }) => version)).to.deep.equal([2]);
        });
      });
    }
  }

  it('never answers a look-up answers its client at the deadline', async () => {
    const rebind = silencing(tokens.licenses, 'find', false);
    await during({ rebind, storeDeadline: 3000 }, async (service) => {
      const reply = notVerified(500, 'store_unavailable', away, { 'retry-after': '1' });
      expect(await service.verify(license)).to.deep.equal(reply);
    });
  });

  it('breaks only after its client was answered logs the cause', async () => {
    const gate = aLatch();
    const late = new SyntaxError('what the store said in the end');
    const rebind: Rebind = (container) => {
      container.rebind(tokens.licenses).toConstantValue({
        find: async () => {
          await gate.released;
          throw late;
        },
      });
    };
    await during({ rebind, storeDeadline: 3000 }, async (service) => {
      expect((await service.verify(license)).status).to.equal(500);
      const answered = service.logged.length;
      gate.release();
      await waitUntil(() => service.logged.length > answered);
      const [fault, ...more] = service.logged.slice(answered);
      expect(fault).to.include({ correlationId: requestId, message: 'internal_error' });
      expect(fault).to.have.nested.property('err.name', 'SyntaxError');
      expect(more).to.deep.equal([]);
    });
  });

  for (const reaches of [false, true]) {
    it(`never answers a change, which it ${reaches ? 'did' : 'did not do'}, answers its client at the deadline`, async () => {
      const rebind = silencing(tokens.entitlements, 'replace', reaches);
      await during({ rebind, storeDeadline: 3000 }, async (service) => {
        expect(await service.change('ent_1/cancel', key)).to.deep.equal(unavailable);
        expect((await service.stored()).map(({ version }) => version)).to.deep.equal([reaches ? 2 : 1]);
      });
    });
  }
});
