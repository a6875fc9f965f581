import { expect } from 'chai';
import { timelineSection } from '../../../../../adapters/web/console/entitlement/purchase/timeline-section.ts';
import type { Entitlement } from '../../../../../core/entitlement/entitlement.ts';
import { nextTransition, recordClock } from '../../../../../core/entitlement/event/change-record.ts';
import type { EntitlementEvent } from '../../../../../core/entitlement/event/entitlement-event.ts';
import type { HistoryEntry } from '../../../../../core/entitlement/history-entry.ts';
import { timelineOf } from '../../../../../core/purchase/timeline.ts';
import type { DeliveryStream } from '../../../../../core/webhook/stream/delivery-stream.ts';
import { anEntry, anEvent, aOneTimePurchase, aSubscription, day, later, noon } from '../../../../support/builders.ts';
import { aStream } from '../../../../support/webhooks/builders.ts';

describe('who has made a change, in the timeline', () => {
  const event = 'evt_1SVxYzKQ2F9XM4TBDH3WC8RN';
  const request = '0b6f8d0e-5d3c-4f5e-9a53-1f2f8f2f2f2f';
  const cases: readonly (readonly [Pick<HistoryEntry, 'by' | 'correlationId'>, string])[] = [
    [{ by: 'stripe', correlationId: event }, `by Stripe · event ${event}`],
    [{ by: 'stripe', correlationId: request }, `by Stripe · request ${request}`],
    [{ by: 'app-key:shop', correlationId: request }, `by app key shop · request ${request}`],
    [{ by: 'operator:opk_1', correlationId: event }, `by operator Ada opk_1 · request ${event}`],
    [{ by: 'command:root', correlationId: request }, `by command root · request ${request}`],
  ];

  for (const [made, text] of cases) {
    it(`is said with what it came from: ${text}`, () => {
      const timeline = timelineOf([anEntry(aSubscription(), made)], [], []);
      const shown = timelineSection(timeline, new Map([['opk_1', 'Ada']]), (page) => page, noon).text;
      const [, line = ''] = /<p class="by">(.*?)<\/p>/s.exec(shown) ?? [];
      expect(line.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')).to.equal(text);
    });
  }
});

describe('why Stripe has changed access, in the timeline', () => {
  type Made = Pick<HistoryEntry, 'operation'> & Partial<Pick<HistoryEntry, 'by' | 'reason'>>;
  const moved = { currentPeriodEnd: later(day) };

  function titles(changes: readonly Made[], event: Partial<EntitlementEvent> = {}): readonly string[] {
    const history = changes.map((change, index) =>
      anEntry(aSubscription({ version: index + 1 }), { by: 'stripe', ...change }),
    );
    const version = changes.length;
    const last = anEvent(aSubscription({ version }), { ...history.at(-1), type: 'entitlement.reinstated', ...event });
    const timeline = timelineOf(history, [{ position: 1, event: last }], []);
    const shown = timelineSection(timeline, new Map(), (page) => page, noon).text;
    return [...shown.matchAll(/<strong[^>]*>(.*?)<\/strong>/g)].map(([, title = '']) => title);
  }

  const taken: readonly (readonly [Made, string])[] = [
    [{ operation: 'suspended', reason: 'refunded' }, 'Suspended: the payment was refunded'],
    [{ operation: 'suspended', reason: 'disputed' }, 'Suspended: the payment was disputed'],
    [{ operation: 'suspended', reason: 'dispute_lost' }, 'Suspended: the dispute was lost'],
    [{ operation: 'suspended', reason: 'unpaid' }, 'Suspended: the payment is missing'],
    [{ operation: 'suspended', reason: 'paused' }, 'Suspended: the subscription is paused'],
    [{ operation: 'suspended' }, 'Suspended'],
    [{ operation: 'revoked', reason: 'dispute_lost' }, 'Revoked: the dispute was lost'],
    [{ operation: 'granted', reason: 'disputed' }, 'Granted, suspended: the payment was disputed'],
  ];
  for (const [made, title] of taken) {
    it(`is said: ${title}`, () => {
      expect(titles([made, { operation: 'allowance_changed' }])[1]).to.equal(title);
    });
  }

  const disputed = { operation: 'suspended', reason: 'disputed' } as const;
  const unpaid = { operation: 'suspended', reason: 'unpaid' } as const;
  const given: readonly (readonly [string, string, readonly Made[], Partial<EntitlementEvent>?])[] = [
    ['a dispute', 'Reinstated: the dispute was won', [disputed]],
    ['a refund', 'Reinstated: the refund failed', [{ ...disputed, reason: 'refunded' }]],
    ['a payment that was missing', 'Reinstated: the payment has arrived', [unpaid], { previous: moved }],
    ['a pause', 'Reinstated: the subscription goes on', [{ ...disputed, reason: 'paused' }], { previous: moved }],
    ['a dispute, in a new period', 'Reinstated', [disputed], { previous: moved }],
    [
      'a payment that is still missing',
      'Reinstated',
      [unpaid],
      { entitlement: anEvent(aSubscription({ standing: 'past_due' })).entitlement },
    ],
    ['what is not known', 'Reinstated', [disputed, { operation: 'reinstated' }, { operation: 'suspended' }]],
    [
      'a dispute and an operator',
      'Reinstated: the dispute was won',
      [disputed, { operation: 'suspended', by: 'operator:opk_1' }],
    ],
  ];
  for (const [what, title, changes, event = {}] of given) {
    it(`is said after ${what}: ${title}`, () => {
      const version = changes.length + 1;
      const entitlement = { ...(event.entitlement ?? anEvent(aSubscription()).entitlement), version };
      expect(titles([...changes, { operation: 'reinstated' }], { ...event, entitlement })[0]).to.equal(title);
    });
  }

  it('is not said of a reinstatement by an operator', () => {
    expect(titles([disputed, { operation: 'reinstated', by: 'operator:opk_1' }])[0]).to.equal('Reinstated');
  });
});

describe('what the clock has done, in the timeline', () => {
  const ends = { currentPeriodEnd: later(day), graceUntil: later(2 * day) };
  const cases: readonly (readonly [Entitlement, title: string, by: string])[] = [
    [aSubscription({ ...ends, graceUntil: later(9 * day) }), 'Became past due', 'the period had ended'],
    [
      aSubscription({ ...ends, graceUntil: later(9 * day), unpaidUntil: later(2 * day) }),
      'Suspended',
      'a payment is missing for too long',
    ],
    [aSubscription(ends), 'Expired', 'it was not renewed in time'],
    [aOneTimePurchase({ accessEndsAt: later(day) }), 'Expired', 'it was bought for a time'],
    [
      aSubscription({ ...ends, cancellation: { at: later(day), requestedAt: noon } }),
      'Canceled',
      'the scheduled end was reached',
    ],
  ];

  for (const [seen, title, reason] of cases) {
    it(`is said with its reason: ${title}, ${reason}`, () => {
      const { events } = recordClock(
        { ...seen, nextEventAt: nextTransition(seen, noon) },
        later(3 * day),
        () => 'evt_1',
      );
      const placed = events.map((event, index) => ({ position: index + 1, event }));
      const [latest = ''] = timelineSection(
        timelineOf([], placed.slice(-1), []),
        new Map(),
        (page) => page,
        later(3 * day),
      ).text.split('</li>');
      expect(latest.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '))
        .to.include(title)
        .and.include(`by the clock: ${reason}`);
    });
  }
});

describe('what became of a mail, in the timeline', () => {
  const granted = anEvent(aSubscription({ id: 'sub_1' }), { type: 'entitlement.granted', by: 'stripe' });
  const rotated = { ...granted, type: 'license.rotated', by: 'buyer' } as const;

  it('is "Key mailed", or why not', () => {
    expect(itemOf(granted, {}, 'sent')).to.match(/^Key mailed Mail, .*88 ms$/);
    expect(itemOf(rotated, {}, 'sent')).to.match(/^Notice mailed Mail, /);
    const whyNot = {
      refused: 'the mail server knows no such mailbox',
      no_address: 'Stripe has no address of the buyer',
      keys_not_mailed: 'the keys of the product are not mailed',
      no_license: 'the entitlement had no license',
      license_replaced: 'the key was replaced before',
      license_revoked: 'the license was revoked before',
      entitlement_ended: 'the entitlement had ended before',
      not_sold_by_stripe: 'Stripe does not sell it',
    };
    for (const [end, why] of Object.entries(whyNot)) {
      expect(itemOf(granted, {}, end)).to.equal(`Key not mailed Mail, ${why}`);
    }
    expect(itemOf(rotated, {}, 'refused')).to.match(/^Notice not mailed/);
  });

  it('waits for its next attempt, or for a person', () => {
    expect(itemOf(granted, pending(later(60_000)), '421')).to.match(/^Waiting Mail, 421, next attempt /);
    expect(itemOf(granted, pending(null), '421')).to.equal('Key not mailed Mail, 421, waits for latchkey mail retry');
  });

  it('is nothing where nothing is known of it, and for other events', () => {
    expect(itemOf(granted, {})).to.equal('');
    expect(itemOf({ ...granted, by: 'command:test' }, {}, 'sent')).to.equal('');
    expect(itemOf({ ...granted, type: 'entitlement.renewed' }, {}, 'sent')).to.equal('');
  });
});

function itemOf(event: EntitlementEvent, stream: Partial<DeliveryStream>, reason: string | null = null): string {
  const attempt = { at: noon, position: 1, eventId: event.id, status: null, reason, durationMs: 88 };
  const attempts = reason === null ? [] : [attempt];
  const byMail = aStream({ endpointId: '@mail', addition: '', cursor: 1, attempts, ...stream });
  const timeline = timelineOf([], [{ position: 1, event }], [], { toStripe: null, byMail });
  const shown = timelineSection(timeline, new Map(), null, noon).text;
  const [, item = ''] = /<ul class="deliveries">(.*?)<\/ul>/s.exec(shown) ?? [];
  return item
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function pending(at: Date | null): Partial<DeliveryStream> {
  return { pending: new Map([['sub_1', { positions: [1], attempt: 1, at }]]) };
}
