import type { Answer, Members, Stored } from '../../testing/gates/cases.ts';
import { digestOf, Signer } from './signer.ts';

// The facts that all cases share: a product, a license key, a device, the keys that sign, and the instants.

export const productId = 'prod_1';
export const licenseKey = 'LK-0GATE-S1MPX-EKEYF-0RCAS-ESABC-DEFGQ';
export const device = { id: 'machine-1', name: 'A machine' };
export const [active, next, retired, stranger] = [
  new Signer('active'),
  new Signer('next'),
  new Signer('retired'),
  new Signer('stranger'),
];

export const day = 86_400_000;
export const hour = 3_600_000;
const noon = Date.parse('2026-07-18T12:00:00.000Z');

/** The instant that is so many milliseconds after noon. */
export function at(milliseconds = 0): string {
  return new Date(noon + milliseconds).toISOString();
}

/** The second in which receipts are issued, and how many seconds they hold. */
export const issuedAt = noon / 1000;
export const validFor = (14 * day) / 1000;

export const entitlement = {
  id: 'ent_1',
  productId,
  status: 'active',
  tierId: 'pro',
  tierName: 'Größe ☃',
  billingInterval: 'month',
  currentPeriodEnd: '2026-08-01T00:00:00.000Z',
};

export const trial = { ...entitlement, status: 'trialing', tierId: 'basic', tierName: 'Basic' };

/** The service's id of the device of the entitlement. */
export const deviceName = `dev_${digestOf(`ent_1\n${device.id}`).slice(0, 22)}`;

export function claims(overrides: Members = {}): Members {
  return {
    iss: 'https://licenses.example',
    aud: productId,
    sub: 'ent_1',
    iat: issuedAt,
    exp: issuedAt + validFor,
    jti: 'rcp_1',
    key: digestOf(licenseKey.replaceAll('-', '')),
    mode: 'online',
    entitlement,
    ...overrides,
  };
}

/** A receipt that was issued so many seconds before noon. */
export function receiptOf(age: number, overrides: Members = {}): string {
  return active.receipt(claims({ iat: issuedAt - age, exp: issuedAt - age + validFor, ...overrides }));
}

/** Until when a receipt holds. */
export function endOf(receipt: string): string {
  const { exp } = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly exp: number;
  };
  return new Date(exp * 1000).toISOString();
}

/** When the gate wants to be asked again. */
export function nextAfter(now: string, wait: number, offlineUntil: string | null = null): string {
  const then = new Date(Date.parse(now) + wait).toISOString();
  return offlineUntil !== null && offlineUntil < then ? offlineUntil : then;
}

export function storedOf(receipt: string | null, lastSeen: string | null = at(-hour)): Stored {
  return { receipt, lastSeen };
}

// Answers of the service.

/** An answer with a status and a body. */
type Spoken = Extract<Answer, { readonly status: number }>;

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Spoken {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

export function refusal(status: number, code: string): Spoken {
  return json(status, { success: false, error: 'No.', correlationId: 'c-1' }, { 'Error-Code': code });
}

export const saysValid = json(200, { valid: true, entitlement });
export const saysUnknown = json(200, { valid: false });

export function handedOut(receipt: unknown): Answer {
  return json(200, {
    success: true,
    data: { receipt, issuedAt: at(), refreshAfter: at(7 * day), expiresAt: at(14 * day) },
  });
}

export function seat(receipt: string | null, allowed: Members = {}): Spoken {
  const issued = { receipt, issuedAt: at(), refreshAfter: at(7 * day), expiresAt: at(14 * day) };
  const taken = { device: deviceName, activatedAt: at(), deviceLimit: null, devicesUsed: 1, ...allowed };
  return json(200, { success: true, data: { ...taken, entitlement, receipt: receipt === null ? null : issued } });
}
