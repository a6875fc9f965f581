import { textThat } from '../parsing/value-rule.ts';

const maxLength = 2000;

/** A scheme, a host with an optional port, and what follows it. User names and fragments are not allowed. */
const form = /^https?:\/\/[A-Za-z0-9.:[\]_-]{1,300}(?:[/?][!-~]*)?$/;

/**
 * The form of the URL of an endpoint. Whether deliveries may reach its address is decided at each delivery, because the
 * addresses of a name change.
 */
export const webhookUrlRule = textThat(
  (text) => text.length <= maxLength && form.test(text) && !text.includes('#'),
  `must be an http or https URL of at most ${maxLength} characters without user name and fragment`,
);
