import { expect } from 'chai';
import { timelineSection } from '../../../../../adapters/web/console/entitlement/purchase/timeline-section.ts';
import type { Entitlement } from '../../../../../core/entitlement/entitlement.ts';
import { nextTransition, recordClock } from '../../../../../core/entitlement/event/change-record.ts';
import type { HistoryEntry } from '../../../../../core/entitlement/history-entry.ts';
import { timelineOf } from '../../../../../core/purchase/timeline.ts';
import { anEntry, aOneTimePurchase, aSubscription, day, later, noon } from '../../../../support/builders.ts';

describe('who has made a change, in the timeline', () => {
  const event = 'evt_1SVxYzKQ2F9XM4TBDH3WC8RN';
  const request = '0b6f8d0e-5d3c-4f5e-9a53-1f2f8f2f2f2f';
  const cases: readonly (readonly [Pick<HistoryEntry, 'by' | 'correlationId'>, string])[] = [
    [{ by: 'stripe', correlationId: event }, `by Stripe · event ${event}`],
    [{ by: 'stripe', correlationId: request }, `by Stripe · request ${request}`],
    [{ by: 'app-key:shop', correlationId: request }, 'by app key shop · request 0b6f8d0e'],
    [{ by: 'operator:opk_1', correlationId: event }, 'by operator Ada opk_1 · request evt_1SVx'],
    [{ by: 'command:root', correlationId: request }, 'by command root · request 0b6f8d0e'],
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
