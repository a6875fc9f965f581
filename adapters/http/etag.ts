import { hash } from 'node:crypto';

/** Makes a weak validator of content that excludes the correlation id. */
export function weakEtag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Whether an `If-None-Match` field matches a validator: weak comparison, lists and `*` (RFC 9110 §13.1.2). */
export function matchesEtag(condition: string, etag: string): boolean {
  if (condition.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...condition.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].some(
    ([, candidate]) => candidate === opaque,
  );
}
