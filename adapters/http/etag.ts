// Not imported: an import reads each member of `node:crypto`, and some load Web Crypto, 15 ms of CPU at each start.
const { hash } = process.getBuiltinModule('node:crypto');

/** Makes a weak validator of content that excludes the correlation id. */
export function weakEtag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/**
 * Whether the lines of an `If-None-Match` or `If-Match` field name a validator: as `*`, or as a member of the list. In the
 * weak comparison of `If-None-Match`, `W/` does not count; in the strong one of `If-Match`, a member with `W/` never matches
 * (RFC 9110 §8.8.3.2).
 */
export function matchesEtag(lines: readonly string[], etag: string, comparison: 'weak' | 'strong'): boolean {
  const field = lines.join(',');
  if (field.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return entityTagsOf(field).some((tag) => tag === opaque || (comparison === 'weak' && tag === `W/${opaque}`));
}

/** The members of a list up to the first one that is not an entity tag. */
function entityTagsOf(field: string): readonly string[] {
  const member = /[\s,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;
  const tags: string[] = [];
  for (let found = member.exec(field); found !== null; found = member.exec(field)) tags.push(found[1] ?? '');
  return tags;
}
