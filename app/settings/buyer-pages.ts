import type { Settings } from './settings.ts';

/** Whether buyers have pages: that of a license, and those of its links. */
export function hasBuyerPages({ pages, buyerPages }: Pick<Settings, 'pages' | 'buyerPages'>): boolean {
  return pages !== 'off' && buyerPages === 'on';
}
