import type { Event, Features } from './models.ts';

/** The header fields of a request, in any of the forms in which servers have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** Seconds by which the time of the request may differ from the clock. Default: 300. */
  readonly tolerance?: number | undefined;
  /** The current instant. Default: the clock. */
  readonly now?: Date | undefined;
}

/** The message of a test of an endpoint. It is about no entitlement. */
export interface WebhookTest {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly timestamp: string;
  readonly data: Readonly<Record<string, never>>;
}

/** The terms of a tier. */
export interface TierTerms {
  /** The limit of devices; null without a limit. */
  readonly deviceLimit: number | null;
  readonly features: Features;
  /** The length of the trial that a device without a license may have, such as `14d`; absent for no trial. */
  readonly trial?: string;
}

/** The event of a changed tier. It is about no entitlement, and only endpoints that name its type get it. */
export interface TierChanged {
  readonly id: string;
  readonly type: 'tier.changed';
  readonly timestamp: string;
  readonly data: {
    /** The revision of the tier. */
    readonly sequence: number;
    readonly correlationId: string;
    /** Who has changed it. */
    readonly by: string;
    readonly productId: string;
    readonly tierId: string;
    /** The tier's terms from then on; null once it is deleted. */
    readonly tier: TierTerms | null;
    /** The tier's terms before; null if it was not declared. */
    readonly previous: TierTerms | null;
  };
}

/** A sale that an affiliate has brought. */
export interface SoldByAffiliate {
  readonly id: string;
  readonly productId: string;
  readonly handle: string;
  /** The listing that was promoted. */
  readonly slug: string;
  readonly by: 'code' | 'metadata' | 'link' | 'operator' | 'put';
  /** When the checkout began. */
  readonly attributedAt: string;
  readonly terms: {
    readonly commissionPercent: number;
    readonly commissionFor: 'first_payment' | 'lifetime' | number;
    readonly holdDays: number;
  };
  /** Null as long as no payment is known of a sale that an operator has assigned. */
  readonly currency: string | null;
}

/**
 * The event of a sale that was attributed to an affiliate. It is about no entitlement, and only endpoints that name its type
 * get it.
 */
export interface SaleAttributed {
  readonly id: string;
  readonly type: 'sale.attributed';
  readonly timestamp: string;
  readonly data: {
    readonly sequence: number;
    readonly correlationId: string;
    /** Who has attributed it: `stripe` for an attribution by the checkout. */
    readonly by: string;
    readonly sale: SoldByAffiliate;
  };
}

/** The amount that an affiliate is owed for one product, currency and month. Amounts are in minor units. */
export interface Statement {
  readonly id: string;
  readonly productId: string;
  readonly handle: string;
  readonly currency: string;
  /** Counts the statements of the affiliate for the product and the currency from 1. */
  readonly number: number;
  /** Such as `2026-11`, by UTC. */
  readonly month: string;
  readonly state: 'carried' | 'settled' | 'to_pay' | 'paid';
  readonly closedAt: string;
  /** Who has closed it. */
  readonly by: string;
  readonly lineCount: number;
  /** The balance that the statement before it has carried over, 0 or less. */
  readonly opening: number;
  readonly total: number;
  /** The opening and the total. */
  readonly balance: number;
  readonly paid: { readonly at: string; readonly method: string; readonly reference: string } | null;
}

/**
 * The event of a statement that was closed, or whose payment was recorded or taken back. It is about no entitlement, and
 * only endpoints that name its type get it.
 */
export interface StatementChanged {
  readonly id: string;
  readonly type: 'statement.closed' | 'statement.paid';
  readonly timestamp: string;
  readonly data: {
    /** 1 for the closing, and one more for each change of the payment. */
    readonly sequence: number;
    readonly correlationId: string;
    /** Who has changed it. */
    readonly by: string;
    readonly statement: Statement;
  };
}

/** Thrown for a webhook that is not accepted. Answer 400, and do nothing with its body. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const prefix = 'whsec_';

/**
 * Verifies that a webhook comes from Latchkey (Standard Webhooks 1.0.0), and returns its event, or the message of a test.
 * `body` is the body as it was received, before any parsing, and `secret` the `whsec_…` of the endpoint. An endpoint that
 * names a type that is about no entitlement gets that, too: `verifyWebhook<TierChanged | SaleAttributed>(…)`. Throws
 * `WebhookVerificationError`.
 */
export async function verifyWebhook<Named extends TierChanged | SaleAttributed | StatementChanged = never>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300, now = new Date() }: VerifyWebhookOptions = {},
): Promise<Event | WebhookTest | Named> {
  const id = fieldOf(headers, 'webhook-id');
  const timestamp = fieldOf(headers, 'webhook-timestamp');
  const signatures = fieldOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= tolerance))
    throw new WebhookVerificationError('The time of the webhook is too far from the clock.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const key = await keyOf(secret);
  const content = signedContent(`${id}.${timestamp}.`, body);
  for (const signature of signatures.split(' ')) {
    if (await isSignature(key, signature, content)) return { id, ...parsed(text) } as Event | WebhookTest | Named;
  }
  throw new WebhookVerificationError('No signature of the webhook is right: check the secret, and pass the raw body.');
}

function parsed(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('The body of the webhook is not JSON.');
  }
}

/** The bytes that are signed: those of the body as they are. */
function signedContent(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(head), typeof body === 'string' ? encoder.encode(body) : body] as const;
  const content = new Uint8Array(parts[0].length + parts[1].length);
  content.set(parts[0]);
  content.set(parts[1], parts[0].length);
  return content;
}

/** Compares in constant time, as Web Crypto does. */
async function isSignature(key: Key, signature: string, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',');
  const bytes = version === 'v1' ? bytesOf(encoded) : null;
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, content);
}

function keyOf(secret: string): Promise<Key> {
  const bytes = secret.startsWith(prefix) ? bytesOf(secret.slice(prefix.length)) : null;
  if (bytes === null || bytes.length === 0) throw new TypeError('secret must be the whsec_… of the endpoint');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64; null for any other text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function fieldOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : lineOf(headers, name);
  if (value === null || value === '') throw new WebhookVerificationError(`The webhook has no ${name}.`);
  return value;
}

function lineOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  const own = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return [own?.[1] ?? []].flat().join(' ');
}
