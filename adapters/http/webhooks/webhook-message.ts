import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import type { TestMessage } from '../../../core/webhook/send-delivery.ts';
import { loggedEventView } from '../events/event-view.ts';

const crypto = process.getBuiltinModule('node:crypto');

/** Before the base64 of a key's bytes. */
const prefix = 'whsec_';

/** The body of a delivery. Its id is the field `webhook-id`. */
export function messageBody(message: LoggedEvent | TestMessage): string {
  if (message.type === 'webhook.test') return JSON.stringify(testView(message));
  return JSON.stringify(loggedEventView(message));
}

function testView({ type, at }: TestMessage): object {
  return { type, timestamp: at.toISOString(), data: {} };
}

/** The content that is signed, and what identifies its message and the attempt to deliver it. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: one signature for each key, separated by spaces. */
export function signaturesOf({ id, timestamp, body }: Signed, keys: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${hmac(key, content)}`).join(' ');
}

function hmac(key: string, content: string): string {
  const bytes = Buffer.from(key.slice(prefix.length), 'base64');
  return crypto.createHmac('sha256', bytes).update(content).digest('base64');
}
