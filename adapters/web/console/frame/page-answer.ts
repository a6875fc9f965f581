import { noStore, type PageAnswer } from '../../page/page.ts';
import type { ConsoleAnswer, ConsoleError } from './console-page.ts';

/** What the console answers, without the header fields of every response. */
export interface ConsolePageAnswer extends Omit<PageAnswer, 'error'> {
  readonly error?: ConsoleError;
  readonly entitlementId?: string;
}

/** Every page stays out of caches and frames, and loads nothing but its style sheet. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const everyAnswer = {
  cacheControl: noStore,
  contentPolicy,
  headers: ['Cross-Origin-Opener-Policy', 'same-origin'],
} as const;

/** A page in HTML. */
export function pageAnswer(status: number, content: string): ConsolePageAnswer {
  return { ...everyAnswer, status, content, contentType: 'text/html; charset=utf-8' };
}

/** An answer that leads to another page. */
export function redirectAnswer(location: string): ConsolePageAnswer {
  const { headers, ...others } = everyAnswer;
  return { ...others, status: 303, content: null, headers: [...headers, 'Location', location] };
}

/** A text that browsers save as a file. `name` is plain. */
export function fileAnswer({
  name,
  contentType,
  content,
}: Extract<ConsoleAnswer, { kind: 'file' }>): ConsolePageAnswer {
  const { headers, ...others } = everyAnswer;
  const disposition = ['Content-Disposition', `attachment; filename="${name}"`];
  return { ...others, status: 200, content, contentType, headers: [...headers, ...disposition] };
}
