import { textThat } from '../parsing/value-rule.ts';

const maxLength = 2000;

const port = '(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

/**
 * A scheme, the name or IPv4 address of a host with an optional port, and what follows it. The documents of the interface
 * have it too.
 */
export const webhookUrlPattern = `^https?://[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}(?::${port})?(?:[/?][!"$-~]*)?$`;

const form = new RegExp(webhookUrlPattern);

/**
 * The form of the URL of an endpoint. Whether deliveries may reach its address is decided at each delivery, because the
 * addresses of a name change.
 */
export const webhookUrlRule = textThat(
  (text) => text.length <= maxLength && form.test(text),
  `must be an http or https URL of at most ${maxLength} characters without user name and fragment`,
);
