import { expect } from 'chai';
import { stateOf } from '../../../../../adapters/web/console/webhooks/endpoint-state.ts';
import type { DeliveryStream } from '../../../../../core/webhook/stream/delivery-stream.ts';
import { hour, later } from '../../../../support/builders.ts';
import { anEndpoint, aStream } from '../../../../support/webhooks/builders.ts';

/** An attempt `hours` hours ago. */
function attempt(hours: number, status: number | null) {
  return { at: later(-hours * hour), position: 1, eventId: 'evt_1', status, reason: null, durationMs: 88 };
}

type Case = readonly [what: string, stream: Partial<DeliveryStream>, waiting: number, word: string, tone: string];

const refused = { attempts: [attempt(1, 503), attempt(2, null)] };
const accepted = { attempts: [attempt(1, 204), attempt(2, 503)], deliveredAt: later(-hour) };

const cases: readonly Case[] = [
  ['was just added', {}, 0, 'Ready', 'plain'],
  ['has not been tried', {}, 3, 'Ready', 'plain'],
  ['is retried after nothing was ever delivered', refused, 3, 'Trying again', 'warn'],
  ['is retried after it delivered long ago', { ...refused, deliveredAt: later(-9 * hour) }, 3, 'Trying again', 'warn'],
  ['has skipped what failed', { ...refused, deliveredAt: later(-9 * hour) }, 0, 'Delivering', 'ok'],
  ['has skipped all there ever was', refused, 0, 'Ready', 'plain'],
  ['has delivered', accepted, 0, 'Delivering', 'ok'],
  ['has delivered, and has more to deliver', accepted, 3, 'Delivering', 'ok'],
  ['fails', { ...refused, failingSince: later(-2 * hour) }, 3, 'Failing', 'bad'],
];

describe('the state of a webhook endpoint on the console', () => {
  for (const [what, overrides, waiting, word, tone] of cases) {
    it(`claims no more than was seen of one that ${what}: ${word}`, () => {
      const streams = [{ stream: aStream(overrides), waiting, parked: 0 }];
      const state = stateOf({ endpoint: anEndpoint(), streams });
      expect([state.word, state.tone]).to.deep.equal([word, tone]);
      expect(state.says.text.includes('Nothing was delivered yet.')).to.equal(
        word === 'Ready' || (word === 'Trying again' && overrides.deliveredAt === undefined),
      );
    });
  }

  it('follows from the last attempt over all products', () => {
    const streams = [refused, { attempts: [attempt(0.5, 200)], deliveredAt: later(-hour / 2) }].map((overrides) => ({
      stream: aStream(overrides),
      waiting: 1,
      parked: 0,
    }));
    expect(stateOf({ endpoint: anEndpoint(), streams }).word).to.equal('Delivering');
  });
});
