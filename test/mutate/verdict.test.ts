import { expect } from 'chai';
import { range } from '../support/range.ts';
import { isSampled, type Mutant } from './mutant.ts';
import { judge, type Equivalent } from './verdict.ts';

function aMutant(overrides: Partial<Mutant> = {}): Mutant {
  const text = { file: 'core/a.ts', line: 'if (a > 1) b();', was: 'a > 1', became: 'a >= 1' };
  const place = { start: { line: 1, column: 5 }, end: { line: 1, column: 10 }, isStatic: false };
  return { ...text, ...place, status: 'Survived', ...overrides };
}

function entryOf({ file, line, was, became }: Mutant): Equivalent {
  return { file, line, was, became, why: 'a is whole' };
}

function isGone(file: string): boolean {
  return file === 'core/gone.ts';
}

describe('the verdict on mutants', () => {
  it('counts what tests noticed, and what no test noticed or ran', () => {
    const [survived, unseen] = [aMutant(), aMutant({ became: 'true', status: 'NoCoverage' })];
    const noticed = [aMutant({ became: 'a < 1', status: 'Killed' }), aMutant({ became: 'false', status: 'Timeout' })];
    const invalid = (['Ignored', 'RuntimeError', 'CompileError'] as const).map((status) => aMutant({ status }));
    expect(judge([survived, unseen, ...noticed, ...invalid], [], isGone)).to.deep.equal({
      tried: 4,
      killed: 2,
      equivalent: 0,
      alive: [survived, unseen],
      stale: [],
      percent: 50,
    });
  });

  it('leaves equivalent mutants out of the share', () => {
    const killed = aMutant({ became: 'false', status: 'Killed' });
    const verdict = judge([aMutant(), killed], [entryOf(aMutant())], isGone);
    expect(verdict).to.deep.equal({ tried: 2, killed: 1, equivalent: 1, alive: [], stale: [], percent: 100 });
  });

  it('names an entry whose mutant is killed, or that no mutant has', () => {
    const killed = aMutant({ status: 'Killed' });
    const gone = aMutant({ line: 'if (a > 2) b();' });
    const entries = [killed, gone].map(entryOf);
    expect(judge([killed], entries, isGone).stale).to.deep.equal(entries);
  });

  it('leaves the entries of other files alone', () => {
    const elsewhere = entryOf(aMutant({ file: 'core/b.ts' }));
    expect(judge([aMutant({ status: 'Killed' })], [elsewhere], isGone).stale).to.deep.equal([]);
  });

  it('names an entry whose file is gone', () => {
    const entry = entryOf(aMutant({ file: 'core/gone.ts' }));
    expect(judge([aMutant({ status: 'Killed' })], [entry], isGone).stale).to.deep.equal([entry]);
  });

  it('is no failure of nothing', () => {
    expect(judge([], [], isGone).percent).to.equal(100);
  });
});

describe('a sample of mutants', () => {
  it('has about its share of them, and always the same', () => {
    const mutants = range(1000).map((line) => aMutant({ start: { line, column: 1 } }));
    const sample = (share: number): readonly Mutant[] => mutants.filter((mutant) => isSampled(mutant, share));
    expect(sample(0.2).length).to.be.within(150, 250);
    expect(sample(0.2)).to.deep.equal(sample(0.2));
    expect([sample(0).length, sample(1).length]).to.deep.equal([0, 1000]);
  });
});
