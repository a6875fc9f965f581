// Writes receipts of every form into a folder, and the programs of docs/receipts.md that verify them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedBits, device, receiptCases } from '../support/client/receipt-cases.ts';
import { trialCases, trialDevice, trialId } from '../support/client/trial-receipt-cases.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

/** Where the program of each language goes, and the folder from which it reads the keys. */
const programs: Readonly<Record<string, readonly [program: string, folder: string]>> = {
  js: ['node/receipt.js', 'node'],
  python: ['python/receipt.py', 'python'],
  go: ['go/receipt.go', 'go'],
  rust: ['rust/src/receipt.rs', 'rust/src'],
  java: ['java/Receipts.java', 'java'],
};

const [folder = ''] = process.argv.slice(2);
const now = Math.floor(Date.now() / 1000);
const { keys, cases } = receiptCases(now);
const trials = trialCases(now);
const document = await readMarkdown('docs/receipts.md');
for (const [language, [program, beside]] of Object.entries(programs)) {
  const [source, ...more] = document.codeBlocks(language);
  if (source === undefined || more.length > 0) throw new Error(`docs/receipts.md must have one program in ${language}`);
  await writeFile(join(folder, program), `${source.replace('sketchpad', 'prod_1')}\n`);
  await writeFile(join(folder, beside, 'keys.json'), JSON.stringify({ keys: [...keys, ...trials.keys] }));
}

const license = { typ: 'license-receipt+jwt', id: 'ent_1' };
const trial = { typ: 'trial-receipt+jwt', id: trialId };
const [first] = cases;
const changed = [...changedBits(first?.receipt ?? '')];
const all = [
  ...cases.map(({ title, receipt, expected, mayPass }) => {
    const verdict = expected === 'valid' ? 'valid' : 'invalid';
    if (title === 'one for a device') return { ...license, title, receipt, allowed: [`valid ${device}`] };
    return { ...license, title, receipt, allowed: mayPass ? ['valid', 'invalid'] : [verdict] };
  }),
  ...changed.map((receipt, index) => ({ ...license, title: `bit ${index}`, receipt, allowed: ['invalid'] })),
  ...trials.cases.map(({ title, receipt, allowed }) => {
    const verdicts = allowed === 'valid' ? [`valid ${trialDevice}`] : ['invalid'];
    return { ...trial, title: `${title}, as a trial`, receipt, allowed: verdicts };
  }),
  ...trials.cases
    .filter(({ allowed }) => allowed === 'valid')
    .map(({ title, receipt }) => ({ ...trial, typ: license.typ, title, receipt, allowed: ['invalid'] })),
];
await writeFile(join(folder, 'receipts.json'), JSON.stringify(all));
const lines = all.map(({ typ, id, receipt }) => `${typ} ${id} ${Buffer.from(receipt).toString('base64')}\n`);
await writeFile(join(folder, 'receipts.txt'), lines.join(''));
