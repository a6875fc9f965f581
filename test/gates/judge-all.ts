// Judges the gates of the languages that are named by the cases, through `test/gates/driver`. Fails if a case does.
import { join } from 'node:path';
import { judgeGate } from '../../testing/gates/judge-gate.ts';

for (const language of process.argv.slice(2)) {
  const { passed, findings, leftOut } = await judgeGate({ command: [join(import.meta.dirname, 'driver'), language] });
  for (const finding of findings) console.log(`${language}: ${finding}`);
  console.log(`${language}: ${passed} cases passed, ${findings.length} failed, ${leftOut.length} left out`);
  if (findings.length > 0) process.exitCode = 1;
}
