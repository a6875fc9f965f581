import type { Trace } from '../../../core/call.ts';

/** Version, trace id, parent id and flags; a version after 00 may have more (W3C Trace Context, "traceparent Header"). */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Reads a `traceparent` field. Returns null if it is not valid; Node joins its lines, and two of them are not valid. */
export function traceOf(field: string | readonly string[] | undefined): Trace | null {
  if (typeof field !== 'string') return null;
  const [parent = '', version, id = '', more] = traceparent.exec(field) ?? [];
  if (id === '' || (version === '00' && more !== undefined)) return null;
  return { id, parent };
}
