import { Refusal } from '../../../../../core/refusal.ts';

/** Reads the version of the entitlement that the page of a form has shown. Refuses with `invalid_parameter`. */
export function seenVersion(form: URLSearchParams): number {
  const text = form.get('version') ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('invalid_parameter', { message: 'version must be the one that the page has shown.' });
}
