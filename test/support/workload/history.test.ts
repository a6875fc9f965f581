import { expect } from 'chai';
import type { CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import { violations, type Attempt, type History, type SeenSnapshot } from './history.ts';

/** Builds a history request by request, one that can have happened or one that cannot. */
class HistoryBuilder {
  readonly attempts: Attempt[] = [];
  #moment = 0;

  success(operation: CancellationOperation, key: string, version: number, more: Partial<SuccessDetails> = {}): this {
    const { replayed = false, correlationId = `answer-to-${key}` } = more;
    const body = JSON.stringify({ success: true, data: state(version), correlationId });
    return this.#add(operation, key, { kind: 'success', answered: this.#moment + 2, body, replayed });
  }

  replay(operation: CancellationOperation, key: string, version: number): this {
    return this.success(operation, key, version, { replayed: true });
  }

  unknown(operation: CancellationOperation, key: string): this {
    return this.#add(operation, key, { kind: 'unknown' });
  }

  endingWith(version: number): History {
    return { before: [state(1)], attempts: this.attempts, after: [state(version)] };
  }

  #add(operation: CancellationOperation, key: string, outcome: Attempt['outcome']): this {
    this.#moment += 2;
    this.attempts.push({ entitlementId: 'ent_1', operation, key, sent: this.#moment - 1, outcome });
    return this;
  }
}

interface SuccessDetails {
  readonly replayed: boolean;
  readonly correlationId: string;
}

function state(version: number): SeenSnapshot & { readonly updatedAt: string } {
  return { id: 'ent_1', version, cancelAtPeriodEnd: version % 2 === 0, updatedAt: `the instant of change ${version}` };
}

describe('the check of a history', () => {
  it('accepts alternating changes, their replays, and requests that changed nothing', () => {
    const history = new HistoryBuilder()
      .success('cancel', 'K1', 2)
      .success('cancel', 'K2', 2)
      .success('resume', 'K3', 3)
      .replay('cancel', 'K1', 2)
      .endingWith(3);
    expect(violations(history)).to.deep.equal([]);
  });

  it('accepts a version made by a key that was not answered', () => {
    const history = new HistoryBuilder().unknown('cancel', 'K1').success('resume', 'K2', 3).endingWith(3);
    expect(violations(history)).to.deep.equal([]);
  });

  it('accepts a key that was not answered and had no effect', () => {
    expect(violations(new HistoryBuilder().unknown('cancel', 'K1').endingWith(1))).to.deep.equal([]);
  });

  it('refuses a lost change', () => {
    const history = new HistoryBuilder().success('cancel', 'K1', 2).success('resume', 'K2', 3).endingWith(2);
    expect(violations(history)).to.deep.equal(['ent_1: version 3 was acknowledged, and the last is 2']);
  });

  it('refuses a lost change whose version another change has reused', () => {
    const history = new HistoryBuilder()
      .success('cancel', 'K1', 2)
      .success('resume', 'K2', 3)
      .success('cancel', 'K3', 2);
    expect(violations(history.endingWith(3))).to.deep.equal([
      'ent_1: K3 did not see the change of K2, which had been acknowledged',
    ]);
  });

  it('refuses one version for two changes', () => {
    const { before, attempts, after } = new HistoryBuilder().success('cancel', 'K1', 2).endingWith(2);
    const other = after.map((snapshot) => ({ ...snapshot, updatedAt: 'another instant' }));
    expect(violations({ before, attempts, after: other })).to.deep.equal([
      'ent_1: version 2 was acknowledged for different changes',
    ]);
  });

  it('refuses two effects of one key: before its answer was lost, and again on the retry', () => {
    const history = new HistoryBuilder()
      .unknown('cancel', 'K1')
      .success('resume', 'K2', 3)
      .success('cancel', 'K1', 4)
      .endingWith(4);
    expect(violations(history)).to.deep.equal([
      'ent_1: versions 2 were made by cancel, but only 0 such keys are without an answer',
    ]);
  });

  it('refuses a retry that was carried out again', () => {
    const history = new HistoryBuilder()
      .success('cancel', 'K1', 2)
      .success('resume', 'K2', 3)
      .success('cancel', 'K1', 4, { correlationId: 'another-answer' })
      .endingWith(4);
    expect(violations(history)).to.deep.equal([
      'K1 gave different bodies',
      'K1 was carried out more than once',
      'ent_1: versions 4 were made by cancel, but only 0 such keys are without an answer',
    ]);
  });

  it('refuses a retry that was carried out again but answered as a replay', () => {
    const history = new HistoryBuilder()
      .success('cancel', 'K1', 2)
      .success('resume', 'K2', 3)
      .replay('cancel', 'K1', 2)
      .endingWith(4);
    expect(violations(history)).to.deep.equal([
      'ent_1: versions 4 were made by cancel, but only 0 such keys are without an answer',
    ]);
  });

  it('refuses a replay with another correlation id', () => {
    const history = new HistoryBuilder()
      .success('cancel', 'K1', 2)
      .success('cancel', 'K1', 2, { replayed: true, correlationId: 'another-answer' })
      .endingWith(2);
    expect(violations(history)).to.deep.equal(['K1 gave different bodies']);
  });
});
