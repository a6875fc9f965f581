import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { fileOf } from '../../docs/generate/repository.ts';
import { readCases, type Cases } from '../../testing/gates/cases.ts';
import { judge } from '../../testing/gates/judge.ts';
import { JavaScriptGate } from './javascript.ts';
import { mutantGate, mutants } from './mutants.ts';

describe('gates/cases.json', () => {
  let cases: Cases;

  before(async () => {
    cases = await readCases();
  });

  it('has the form that its schema describes', async () => {
    const validate = new Ajv2020({ strict: false }).compile(await read('gates/cases.schema.json'));
    validate(await read('gates/cases.json'));
    expect(validate.errors).to.equal(null);
  });

  it('names each case once', () => {
    const names = [...cases.receipts, ...cases.gate].map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('is what the gate of the client does', async () => {
    const { passed, findings, leftOut } = await judge(new JavaScriptGate());
    const all = [...cases.receipts, ...cases.gate];
    expect(findings).to.deep.equal([]);
    expect(leftOut).to.deep.equal([]);
    expect(passed).to.equal(all.length);
  });
});

describe('the judge', () => {
  for (const mutant of mutants) {
    it(`finds a gate that ${mutant.does}`, async () => {
      await using copy = await mutantGate(mutant);
      const { findings } = await judge(new JavaScriptGate(copy.client), { only: mutant.only });
      expect(findings).to.not.deep.equal([]);
    });
  }

  it('finds nothing in a gate that is right', async () => {
    for (const only of new Set(mutants.map((each) => each.only))) {
      const { findings } = await judge(new JavaScriptGate(), { only });
      expect(findings).to.deep.equal([]);
    }
  });
});

async function read(path: string): Promise<object> {
  return JSON.parse(await readFile(fileOf(path), 'utf8')) as object;
}
