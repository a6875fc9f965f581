import { expect } from 'chai';
import { readMembers, type MemberRules } from '../../../core/parsing/read-members.ts';
import { countRule, oneOf } from '../../../core/parsing/value-rule.ts';

interface Values {
  readonly name: 'a' | 'b';
  readonly count?: number;
}

const rules: MemberRules<Values> = { name: oneOf(['a', 'b']), count: countRule };

describe('the members of an object', () => {
  it('are read by their rules, and others are ignored', () => {
    const given = { name: 'a', count: 3, other: 1 };
    expect(readMembers(rules, ['name'], given, 'read')).to.deep.equal({
      kind: 'read',
      values: { name: 'a', count: 3 },
    });
    for (const count of ['3', 3]) {
      expect(readMembers(rules, ['name'], { name: 'b', count }, 'parse')).to.deep.equal({
        kind: 'read',
        values: { name: 'b', count: 3 },
      });
    }
  });

  it('may be left out or null unless they are required', () => {
    for (const given of [{ name: 'a' }, { name: 'a', count: null }, { name: 'a', count: undefined }]) {
      expect(readMembers(rules, ['name'], given, 'read')).to.deep.equal({ kind: 'read', values: { name: 'a' } });
    }
  });

  it('are all named if they are wrong or missing, inherited ones included', () => {
    const mistakes = [
      { member: 'name', problem: 'is missing' },
      { member: 'count', problem: 'must be a whole number, 0 or more' },
    ];
    for (const given of [
      { count: '3' },
      { name: null, count: -1 },
      Object.create({ name: 'a' }, { count: { value: {} } }),
    ]) {
      expect(readMembers(rules, ['name'], given, 'read')).to.deep.equal({ kind: 'wrong', mistakes });
    }
  });
});
