import { createHmac } from 'node:crypto';

/** Signs a delivery as Stripe does, at an instant in seconds: the header Stripe-Signature. */
export function signatureHeader(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
