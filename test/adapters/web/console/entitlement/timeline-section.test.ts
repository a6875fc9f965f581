import { expect } from 'chai';
import { timelineSection } from '../../../../../adapters/web/console/entitlement/purchase/timeline-section.ts';
import type { HistoryEntry } from '../../../../../core/entitlement/history-entry.ts';
import { timelineOf } from '../../../../../core/purchase/timeline.ts';
import { anEntry, aSubscription, noon } from '../../../../support/builders.ts';

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
      const shown = timelineSection(timeline, new Map([['opk_1', 'Ada']]), noon).text;
      const [, line = ''] = /<p class="by">(.*?)<\/p>/s.exec(shown) ?? [];
      expect(line.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')).to.equal(text);
    });
  }
});
