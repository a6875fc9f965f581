import { textThat } from '../parsing/value-rule.ts';

const maxLength = 500;
const place = '{key}';

/** The form of the links that open an app with a key, for the documents of the interface: schemes are not looked at. */
export const activateUrlForm = {
  type: 'string',
  maxLength,
  pattern: String.raw`^[a-z][a-z0-9+.-]{1,30}:[!-z|~]*\{key\}[!-z|~]*$`,
} as const;

/**
 * Schemes that a browser or the system opens itself: the key would be in the address of a request, in a log, or run as a
 * script. `intent` leads to an https address where there is no app.
 */
const foreignSchemes: ReadonlySet<string> = new Set(
  `http https ws wss ftp ftps sftp javascript data vbscript view-source filesystem file blob about mailto tel sms intent`.split(
    ' ',
  ),
);

const form = new RegExp(activateUrlForm.pattern);

/** The rule for the links that open an app with a key. */
export const activateUrlRule = textThat(
  (text) => brokenBy(text) === null,
  `must be a link with a scheme of the app's own, of at most ${maxLength} printable ASCII characters, with ${place} once and no other braces, such as sketchpad://activate?key=${place}`,
  brokenBy,
);

/** The requirement that a text breaks; null if it breaks none. */
function brokenBy(text: string): string | null {
  const [, scheme = null] = /^([^/?#:]*):/.exec(text) ?? [];
  if (scheme !== null && foreignSchemes.has(scheme.toLowerCase())) {
    return "must have a scheme of the app's own, such as sketchpad:, and none that a browser or the system opens itself";
  }
  if (scheme === null || !/^[a-z][a-z0-9+.-]{1,30}$/.test(scheme)) {
    return "must begin with a scheme of the app's own in lower case, of 2 to 31 characters, such as sketchpad:";
  }
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  if (/[^!-~]/.test(text)) return 'must be of printable ASCII characters without spaces: percent-encode the others';
  return form.test(text) ? null : `must have ${place} once, and no other braces`;
}

/** Puts a key into the link that opens an app. */
export function activationLink(activateUrl: string, licenseKey: string): string {
  return activateUrl.replace(place, () => encodeURIComponent(licenseKey.toWellFormed()));
}
