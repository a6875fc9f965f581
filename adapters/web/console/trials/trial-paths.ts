import { idSegment } from '../frame/id-segment.ts';

/** The path of the page of a trial, or of one of its changes. */
export function trialPath(id: string, change: 'extend' | 'end' | '' = ''): string {
  return `/console/trials/${idSegment(id)}${change === '' ? '' : `/${change}`}`;
}

/** The path of the list of the trials of a product. */
export function trialsPath(productId: string): string {
  return `/console/products/${idSegment(productId)}/trials`;
}
