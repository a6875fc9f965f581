// Compares the verdicts of the verifiers, a line for each receipt, with those that are right. Fails if one differs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Receipt {
  readonly title: string;
  readonly receipt: string;
  /** The verdicts that are right. */
  readonly allowed: readonly string[];
}

const [folder = '', ...verifiers] = process.argv.slice(2);
const receipts: readonly Receipt[] = JSON.parse(await readFile(join(folder, 'receipts.json'), 'utf8'));
for (const verifier of verifiers) {
  const text = await readFile(join(folder, `${verifier}.verdicts`), 'utf8');
  const verdicts = text.trimEnd().split('\n');
  const wrong = receipts.filter(({ allowed }, index) => !allowed.includes(verdicts[index] ?? 'nothing'));
  for (const { title, receipt } of wrong) console.log(`${verifier} is wrong about ${title}: ${receipt.slice(0, 300)}`);
  const lax = receipts.filter(({ allowed }, index) => allowed.length > 1 && verdicts[index] === 'valid').length;
  if (wrong.length > 0 || verdicts.length !== receipts.length) process.exitCode = 1;
  console.log(
    `${verifier}: ${verdicts.length} receipts, ${wrong.length} wrong, ${lax} accepted of those that are signed`,
  );
}
