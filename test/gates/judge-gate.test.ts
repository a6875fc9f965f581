import { expect } from 'chai';
import { fileOf } from '../../docs/generate/repository.ts';
import { judgeGate, type JudgeGateOptions } from '../../testing/gates/judge-gate.ts';

const only = 'receipt/valid/online';

/** A driver that says hello, and does this with each line after it. */
function driver(action: string): JudgeGateOptions {
  return { command: ['sh', '-c', `read -r line; echo '{}'; while read -r line; do ${action}; done`], only };
}

async function findingsOf(options: JudgeGateOptions): Promise<readonly string[]> {
  const { passed, findings } = await judgeGate(options);
  expect(passed).to.equal(0);
  return findings;
}

describe('judgeGate', () => {
  it('passes a program whose gate is right', async () => {
    const judgement = await judgeGate({ command: [fileOf('test/gates/driver'), 'javascript'], only });
    expect(judgement).to.deep.equal({ passed: 1, findings: [], leftOut: [] });
  });

  it('finds a program that dies: in which case, how, and what it printed', async () => {
    expect(await findingsOf(driver('echo "panic: no such key" >&2; exit 3'))).to.deep.equal([
      'receipt/valid/online: sh ended with code 3 at verifyReceipt, and printed: panic: no such key',
    ]);
    expect(await findingsOf(driver('kill -KILL $$'))).to.deep.equal([
      'receipt/valid/online: sh ended by SIGKILL at verifyReceipt',
    ]);
  });

  it('finds a program that dies in a case of the gate, and says how many cases are not tried', async () => {
    const dying = driver(`case $line in *'"open"'*) echo '{}';; *) exit 1;; esac`);
    const [finding, ...others] = await findingsOf({ ...dying, only: 'trial/' });
    expect(finding).to.match(/^trial\/[\w/-]+: sh ended with code 1 at check; \d+ further cases were not tried$/);
    expect(others).to.deep.equal([]);
  });

  it('finds a program that ends at once, and one that is not there', async () => {
    expect(await findingsOf({ command: ['sh', '-c', 'echo "no gate" >&2; exit 4'], only })).to.deep.equal([
      'hello: sh ended with code 4 at hello, and printed: no gate; 1 further case was not tried',
    ]);
    expect(await findingsOf({ command: ['/nowhere/driver'], only })).to.deep.equal([
      'hello: driver cannot be started (spawn /nowhere/driver ENOENT); 1 further case was not tried',
    ]);
  });

  it('shows the line of a program that prints no JSON object', async () => {
    const faults = { 'key is 7': 'printed no JSON object: key is 7', null: 'printed no JSON object: null' };
    for (const [line, fault] of Object.entries(faults))
      expect(await findingsOf(driver(`echo '${line}'`))).to.deep.equal([`${only}: throws sh ${fault}`]);
    expect(await findingsOf({ command: ['sh', '-c', 'read -r line; echo ready'], only })).to.deep.equal([
      'hello: throws sh printed no JSON object: ready; 1 further case was not tried',
    ]);
  });
});
