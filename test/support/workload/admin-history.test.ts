import { expect } from 'chai';
import { adminViolations, type AdminHistory, type AdminRequest, type SeenEntry } from './admin-history.ts';

const granted: SeenEntry = { version: 1, operation: 'granted', correlationId: 'of-the-grant' };
const suspended: SeenEntry = { version: 2, operation: 'suspended', correlationId: 'A' };
const reinstated: SeenEntry = { version: 3, operation: 'reinstated', correlationId: 'B' };
const suspend: AdminRequest = { id: 'A', operation: 'suspended', acknowledged: 2 };
const reinstate: AdminRequest = { id: 'B', operation: 'reinstated', acknowledged: 3 };

function violationsOf(changed: Partial<AdminHistory>): readonly string[] {
  const history = { requests: [suspend, reinstate], entries: [reinstated, suspended, granted], version: 3 };
  return adminViolations({ ...history, ...changed });
}

describe('the check of a history of the administration', () => {
  it('accepts each acknowledged change once, with the version of its answer', () => {
    expect(violationsOf({})).to.deep.equal([]);
  });

  it('accepts a request without an answer, whether it took effect or not', () => {
    const unknown = { ...reinstate, acknowledged: null };
    expect(violationsOf({ requests: [suspend, unknown] })).to.deep.equal([]);
    const without = { requests: [suspend, unknown], entries: [suspended, granted], version: 2 };
    expect(violationsOf(without)).to.deep.equal([]);
  });

  it('refuses a lost change', () => {
    expect(violationsOf({ entries: [suspended, granted], version: 2 })).to.deep.equal([
      'reinstated B was acknowledged as version 3, and is lost',
    ]);
  });

  it('refuses an entry that is lost while its change is kept', () => {
    expect(violationsOf({ entries: [suspended, granted] })).to.deep.equal([
      'the entitlement has version 3, and its last entry 2',
      'reinstated B was acknowledged as version 3, and is lost',
    ]);
  });

  it('refuses a gap between versions', () => {
    expect(violationsOf({ requests: [reinstate], entries: [reinstated, granted] })).to.deep.equal([
      'entry 2 has version 3',
    ]);
  });

  it('refuses a second effect of one request', () => {
    const again = { ...reinstated, version: 4 };
    expect(violationsOf({ entries: [again, reinstated, suspended, granted], version: 4 })).to.deep.equal([
      'reinstated B took effect 2 times',
    ]);
  });

  it('refuses a repeat that was answered with a version of its own', () => {
    expect(violationsOf({ requests: [suspend, { ...reinstate, acknowledged: 4 }] })).to.deep.equal([
      'reinstated B was acknowledged as version 4, and kept as 3',
    ]);
  });

  it('refuses a change that was kept as another operation', () => {
    expect(violationsOf({ entries: [{ ...reinstated, operation: 'renewed' }, suspended, granted] })).to.deep.equal([
      'reinstated B was kept as renewed',
    ]);
  });

  it('refuses a change that nobody asked for', () => {
    expect(violationsOf({ requests: [suspend] })).to.deep.equal(['version 3 was made by no request']);
  });
});
