import { edition } from '../../client/models.ts';
import type { Cases, Members } from '../../testing/gates/cases.ts';
import { deviceCases } from './gate-devices.ts';
import { stories } from './gate-stories.ts';
import { tableCases } from './gate-table.ts';
import { trialCases, trialReceiptCases } from './gate-trials.ts';
import { updateCases } from './gate-updates.ts';
import { receiptCases } from './receipt-cases.ts';
import { base64url } from './signer.ts';
import { active, entitlement, next, productId, retired, stranger, trial } from './world.ts';

/** Bytes that an answer may have. */
const maxBytes = 262_144;

const validAnswer = JSON.stringify({ valid: true, entitlement });

/** The text of `gates/cases.json`, which `npm run docs` writes. */
export function casesText(): string {
  const values: Record<string, unknown> = {
    entitlement,
    trial,
    huge: { repeat: 'a', times: 1_000_000 },
    nested: { repeat: '[', times: 100_000 },
    dots: { repeat: 'a.', times: 50_000 },
    long: { repeat: 'YWFh', times: 4_200 },
    deep: base64url('['.repeat(5000)),
    spaces: { repeat: ' ', times: maxBytes },
    'valid-answer': validAnswer,
    filling: { repeat: ' ', times: maxBytes - Buffer.byteLength(validAnswer) },
  };
  const objects = new Map(Object.entries({ entitlement, trial }).map(([name, each]) => [JSON.stringify(each), name]));
  const receipts = new Map<string, string>();
  /** Puts a name in place of what occurs again and again. */
  const shorten = (_: string, value: unknown): unknown => {
    const object = objects.get(JSON.stringify(value));
    if (object !== undefined) return `{{${object}}}`;
    if (typeof value !== 'string') return value;
    return value.replaceAll(/eyJ[\w-]{100,}\.[\w-]{100,}\.[\w-]{86}(?![\w.-])/g, (receipt) => {
      const name = receipts.get(receipt) ?? `receipt-${receipts.size + 1}`;
      receipts.set(receipt, name);
      return `{{${name}}}`;
    });
  };
  const named = [...receiptCases(), ...trialReceiptCases()].map((each) => ({ ...each, name: `receipt/${each.name}` }));
  const all = {
    receipts: named,
    gate: [...tableCases(), ...stories(), ...deviceCases(), ...trialCases(), ...updateCases()],
  };
  const shortened = {
    receipts: all.receipts.map((each) => ({ ...each, result: JSON.parse(JSON.stringify(each.result, shorten)) })),
    gate: JSON.parse(JSON.stringify(all.gate, shorten)),
  };
  for (const [receipt, name] of receipts) values[name] = receipt;
  const { kid } = active.publicKey;
  // Keys that no receipt is verified by, though they have the name of one.
  const others: readonly Members[] = [
    { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid, alg: 'RS256', use: 'sig' },
    { ...stranger.publicKey, kid, crv: 'P-384' },
    { ...stranger.publicKey, kid, alg: 'ES384' },
    { ...stranger.publicKey, kid, use: 'enc' },
  ];
  const keys = [...others, ...[active, next, retired].map(({ publicKey }) => publicKey)];
  const cases: Cases & { readonly $schema: string; readonly values: object } = {
    $schema: './cases.schema.json',
    version: 1,
    edition,
    productId,
    keys: { keys },
    values,
    ...shortened,
  };
  return JSON.stringify(cases);
}
