import type { SupersededEdition } from '../../../adapters/http/editions.ts';

/**
 * An edition that never was: license checks took the key as `key` and answered `ok` for `valid`, every error was one
 * text under `message`, and snapshots had `state` for `status`.
 */
export const olderEdition: SupersededEdition = {
  date: '2026-01-10',
  deprecatedAt: new Date('2026-07-18T00:00:00.000Z'),
  retiredAt: new Date('2027-02-01T00:00:00.000Z'),
  up: (operation, { query, body }) => {
    if (operation !== 'verifyLicense' || !isObject(body)) return { query, body };
    const { key, ...rest } = body;
    return { query, body: { ...rest, licenseKey: key } };
  },
  down: (operation, status, body) => {
    if (!isObject(body)) return body;
    if (status >= 400) return { message: body['error'] };
    if (operation === 'verifyLicense') {
      const { valid, ...rest } = body;
      return { ok: valid, ...rest };
    }
    const { data } = body;
    if (!isObject(data) || !('cancelAt' in data)) return body;
    const { status: state, ...rest } = data;
    return { ...body, data: { ...rest, state } };
  },
};

/** The one before it: even older, where `state` was in capitals. */
export const oldestEdition: SupersededEdition = {
  date: '2025-06-01',
  deprecatedAt: new Date('2026-01-10T00:00:00.000Z'),
  retiredAt: null,
  up: (_operation, request) => request,
  down: (_operation, _status, body) => {
    if (!isObject(body) || !isObject(body['data'])) return body;
    const { data } = body;
    return 'state' in data ? { ...body, data: { ...data, state: String(data['state']).toUpperCase() } } : body;
  },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
