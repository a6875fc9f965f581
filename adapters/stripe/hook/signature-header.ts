import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { ReportOnStripe } from '../look/report.ts';

/** Seconds for which Stripe's library takes a signature. */
const tolerance = 300;

const digest = /^[0-9a-f]{64}$/;

/** Refuses with `invalid_signature` a `Stripe-Signature` that is valid for no content, so that none needs to be read. */
export type CheckSignatureHeader = (signature: string, call: Call) => void;

export function checkSignatureHeader(report: ReportOnStripe): CheckSignatureHeader {
  return (signature, { correlationId }) => {
    if (canBeValid(signature, Date.now())) return; // by the clock of Stripe's library
    report({ kind: 'event', type: null, outcome: 'invalid_signature' }, correlationId);
    throw new Refusal('invalid_signature');
  };
}

/** Whether it has a time that is not too long ago, and a signature. */
function canBeValid(signature: string, now: number): boolean {
  const pairs = signature.split(',').map((pair) => pair.split('='));
  const valuesOf = (name: string): readonly string[] =>
    pairs.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const age = Math.floor(now / 1000) - Number.parseInt(valuesOf('t').at(-1) ?? '', 10);
  return age <= tolerance && valuesOf('v1').some((value) => digest.test(value)); // NaN is no age
}
