import { expect } from 'chai';
import {
  areSameFeatures,
  changedFeatures,
  featureChangeRule,
  featureLines,
  featureLinesRule,
  featureNameRule,
  featureNamesRule,
  featureRule,
  featuresFrom,
  featuresRule,
  featuresWith,
  hasFeatures,
  isSmall,
  maxFeatures,
  type Features,
} from '../../../core/tier/features.ts';
import { range } from '../../support/range.ts';

const named = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

describe('features named as what every object has', () => {
  const members = Object.getOwnPropertyNames(Object.prototype);

  it('are declared in no way', () => {
    expect(members).to.include.members(['constructor', '__proto__', 'toString']);
    for (const name of members) {
      const read = [
        featureRule.parse(`${name}=true`),
        featureLinesRule.parse(`sso=true\n${name}=true`),
        featuresRule.read(named(name, true)),
        featureChangeRule.read(named(name, true)),
      ];
      expect(read, name).to.deep.equal([null, null, null, null]);
    }
    expect(featuresRule.rule).to.include('but not constructor');
  });

  it('are removed where an earlier release has declared them', () => {
    expect(featureChangeRule.read(named('constructor', null))).to.deep.equal(named('constructor', null));
    expect(featureNameRule.parse('constructor')).to.equal('constructor');
    expect(featureNamesRule.read(['constructor'])).to.deep.equal(['constructor']);
  });

  it('are no others', () => {
    for (const name of ['construct', 'constructors', 'length', 'then', 'to_string', 'proto']) {
      expect(featuresRule.read(named(name, 1)), name).to.deep.equal(named(name, 1));
      expect(featureRule.parse(`${name}=1`), name).to.deep.equal([name, 1]);
    }
  });
});

describe('the name of a feature', () => {
  it('is 1 to 40 characters after a letter', () => {
    for (const name of ['a', 'sso', 'max_projects_2', 'a'.repeat(40)]) {
      expect(featureNameRule.parse(name), name).to.equal(name);
      expect(featuresRule.read({ [name]: true }), name).to.deep.equal({ [name]: true });
    }
    for (const name of ['', '1st', '_a', 'Sso', 'a-b', 'a b', ' a', 'a\n', 'é', 'a'.repeat(41)]) {
      expect(featureNameRule.parse(name), name).to.equal(null);
      expect(featuresRule.read({ ok: 1, [name]: true }), name).to.equal(null);
      expect(featureChangeRule.read({ [name]: null }), name).to.equal(null);
    }
    expect(featureNameRule.rule).to.include('1 to 40 characters');
  });

  it('may be one of many, each of which is a name', () => {
    expect(featureNamesRule.read([])).to.deep.equal([]);
    expect(featureNamesRule.read(['sso', 'theme'])).to.deep.equal(['sso', 'theme']);
    for (const given of [['sso', 'Theme'], 'sso', {}, null]) expect(featureNamesRule.read(given)).to.equal(null);
    expect(featureNamesRule.parse('sso')).to.equal(null);
    expect(featureNamesRule.rule).to.equal(
      'must be names of features: 1 to 40 characters out of a-z, 0-9 and "_", the first one a letter',
    );
  });
});

describe('the value of a feature', () => {
  const valid = [true, false, 0, 1, -7, Number.MAX_SAFE_INTEGER, '', 'dark', ' a b ', 'é'.repeat(100), '🖥'.repeat(100)];
  const invalid = [
    null,
    undefined,
    [],
    {},
    1.5,
    Number.MAX_SAFE_INTEGER + 1,
    Infinity,
    NaN,
    'x'.repeat(101),
    'a\nb',
    'a\tb',
    '\u0000',
    '\u007f',
    '\u2028',
    '\u2029',
    '\ud800',
  ];

  it('is a boolean, a whole number or one line', () => {
    for (const value of valid) expect(featuresRule.read({ a: value }), String(value)).to.deep.equal({ a: value });
    expect(invalid.map((value) => featuresRule.read({ a: value }))).to.deep.equal(invalid.map(() => null));
    expect(Object.values(featuresRule.read({ a: -0 }) ?? {})).to.deep.equal([0]);
  });

  it('is written as JSON, or as it is if that is no JSON of another type', () => {
    const written: readonly (readonly [string, unknown])[] = [
      ['a=true', true],
      ['a=false', false],
      ['a=12', 12],
      ['a="12"', '12'],
      ['a=dark', 'dark'],
      ['a="dark"', 'dark'],
      ['a=', ''],
      ['a=b=c', 'b=c'],
      ['a=[', '['],
    ];
    for (const [text, value] of written) expect(featureRule.parse(text), text).to.deep.equal(['a', value]);
    for (const text of ['a', '', '=1', 'A=1', 'a=null', 'a=[]', 'a={}', 'a=1.5', `a=${'x'.repeat(101)}`])
      expect(featureRule.parse(text), text).to.equal(null);
    expect(featureRule.rule).to.include('NAME=VALUE').and.include('2^53 - 1');
  });

  it('reads back from the line that is written of it', () => {
    const texts = ['dark', '12', 'true', 'null', '[]', '{', '"', ' spaced', 'spaced ', '', 'a=b'];
    const features = Object.fromEntries([...texts, 12, true, false].map((value, index) => [`f${index + 10}`, value]));
    const lines = featureLines(features);
    expect(featureLinesRule.parse(lines.join('\n'))).to.deep.equal(features);
    expect(lines.slice(0, 2)).to.deep.equal(['f10=dark', 'f11="12"']);
    expect(featureLines({ a: ' b', c: 'd e' })).to.deep.equal(['a=" b"', 'c=d e']);
  });
});

const many = (count: number): Features =>
  Object.fromEntries(range(count).map((index) => [`f${String(index).padStart(2, '0')}`, true]));

/** Features whose JSON has `bytes` bytes. */
function large(bytes: number): Features {
  const filled = Object.fromEntries(range(20).map((index) => [`f${index + 10}`, 'x'.repeat(91)]));
  const rest = bytes - JSON.stringify({ ...filled, z: '' }).length;
  return { ...filled, z: 'x'.repeat(rest) };
}

const linesOf = (features: Features): string => featureLines(features).join('\n');

describe('features', () => {
  it('are at most 50', () => {
    expect(maxFeatures).to.equal(50);
    for (const [features, read] of [
      [many(50), many(50)],
      [many(51), null],
    ]) {
      expect(featuresRule.read(features)).to.deep.equal(read);
      expect(featureChangeRule.read(features)).to.deep.equal(read);
      expect(featureLinesRule.parse(linesOf(features ?? {}))).to.deep.equal(read);
    }
    expect(featuresRule.rule).to.include('at most 50 features and 2048 bytes');
  });

  it('are at most 2048 bytes as JSON', () => {
    expect(JSON.stringify(large(2048))).to.have.length(2048);
    expect(featuresRule.read(large(2048))).to.deep.equal(large(2048));
    expect(featureLinesRule.parse(linesOf(large(2048)))).to.deep.equal(large(2048));
    expect(featuresRule.read(large(2049))).to.equal(null);
    expect(featureLinesRule.parse(linesOf(large(2049)))).to.equal(null);
    // As bytes, not as characters.
    expect([isSmall({ a: 'é' }, 10), isSmall({ a: 'é' }, 9)]).to.deep.equal([true, false]);
  });

  it('are an object', () => {
    for (const given of [null, [], 'a', 1, true, undefined]) {
      expect(featuresRule.read(given)).to.equal(null);
      expect(featureChangeRule.read(given)).to.equal(null);
    }
    expect(featuresRule.parse('{}')).to.equal(null);
    expect(featureChangeRule.parse('{}')).to.equal(null);
  });

  it('are in the order of their names, and of two with one name the later counts', () => {
    const ordered = JSON.stringify({ a: 3, b: 2, c: 1 });
    expect(JSON.stringify(featuresRule.read({ c: 1, b: 2, a: 3 }))).to.equal(ordered);
    expect(JSON.stringify(featureLinesRule.parse('c=0\n\n  b=2 \n \na=3\nc=1\n'))).to.equal(ordered);
    expect(
      JSON.stringify(
        featuresFrom([
          ['b', 2],
          ['c', 1],
          ['a', 3],
        ]),
      ),
    ).to.equal(ordered);
    expect(JSON.stringify(featuresWith({ c: 0, b: 2 }, { c: 1, a: 3 }))).to.equal(ordered);
    expect(featureLinesRule.parse('')).to.deep.equal({});
    expect(featureLinesRule.parse('a=1\nb')).to.equal(null);
    expect(featureLinesRule.rule).to.include('one feature on each line');
  });

  it('change one by one: a null removes one', () => {
    const change = featureChangeRule.read({ c: null, b: 2, a: 1, z: null });
    expect(change).to.deep.equal({ c: null, b: 2, a: 1, z: null });
    const changed = changedFeatures({ b: 1, c: 3, d: 4 }, change ?? {});
    expect(JSON.stringify(changed)).to.equal(JSON.stringify({ a: 1, b: 2, d: 4 }));
    expect(featureChangeRule.read({ a: 1.5 })).to.equal(null);
    expect(featureChangeRule.rule).to.match(/^must be an object .*, or null for that of the tier$/);
  });

  it('are the same with the same values, and may be none', () => {
    expect(areSameFeatures({ a: 1 }, { a: 1 })).to.equal(true);
    for (const other of [{ a: 2 }, { a: '1' }, { b: 1 }, {}, { a: 1, b: 1 }])
      expect(areSameFeatures({ a: 1 }, other)).to.equal(false);
    expect([hasFeatures({}), hasFeatures({ a: false })]).to.deep.equal([false, true]);
  });
});
