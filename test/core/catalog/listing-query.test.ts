import { expect } from 'chai';
import { queryOf } from '../../support/stores/catalogs.ts';

const defaults = {
  terms: [],
  sort: 'charts',
  compensation: 'all',
  category: null,
  minCommission: null,
  minStorefronts: null,
  offset: 0,
  limit: 24,
};

describe('a listing query', () => {
  it('has a default for every parameter', () => {
    expect(queryOf({})).to.deep.equal(defaults);
  });

  it('has every parameter that is given', () => {
    const given = { q: 'Dark  mode', sort: 'new', compensation: 'both', category: 'Dev Tools' };
    const bounds = { minCommission: '50', minStorefronts: '10', offset: '96', limit: '48' };
    expect(queryOf({ ...given, ...bounds })).to.deep.equal({
      terms: ['dark', 'mode'],
      sort: 'new',
      compensation: 'both',
      category: 'dev tools',
      minCommission: 50,
      minStorefronts: 10,
      offset: 96,
      limit: 48,
    });
  });

  it('has each allowed value', () => {
    const sorts = ['charts', 'new', 'reward'];
    expect(sorts.map((sort) => queryOf({ sort }).sort)).to.deep.equal(sorts);
    const compensations = ['all', 'commission', 'upfront', 'both'];
    expect(compensations.map((compensation) => queryOf({ compensation }).compensation)).to.deep.equal(compensations);
    const minima = ['20', '30', '50'];
    expect(minima.map((minCommission) => queryOf({ minCommission }).minCommission)).to.deep.equal([20, 30, 50]);
    const counts = ['1', '5', '10'];
    expect(counts.map((minStorefronts) => queryOf({ minStorefronts }).minStorefronts)).to.deep.equal([1, 5, 10]);
  });

  it('ignores unknown values', () => {
    for (const sort of ['CHARTS', 'newest', '', ' new']) expect(queryOf({ sort })).to.deep.equal(defaults);
    for (const compensation of ['None', '', 'ALL']) expect(queryOf({ compensation })).to.deep.equal(defaults);
    for (const minCommission of ['40', '020', ' 20', '20.0', '+20', '2e1', '']) {
      expect(queryOf({ minCommission })).to.deep.equal(defaults);
    }
    for (const minStorefronts of ['0', '01', '5 ', '-1']) expect(queryOf({ minStorefronts })).to.deep.equal(defaults);
  });

  it('clamps limit and offset to their bounds, and ignores values that are not integers', () => {
    const limits = ['0', '-7', '1', '48', '49', '9'.repeat(400), '007', '1.5', '1e1', '+5', '', ' 5', '٣'];
    expect(limits.map((limit) => queryOf({ limit }).limit)).to.deep.equal([
      1, 1, 1, 48, 48, 48, 7, 24, 24, 24, 24, 24, 24,
    ]);
    const offsets = ['-1', '-0', '5', '2147483647', '2147483648', '9'.repeat(400), 'x', '1.5', ''];
    const max = 2_147_483_647;
    expect(offsets.map((offset) => queryOf({ offset }).offset)).to.deep.equal([0, 0, 5, max, max, max, 0, 0, 0]);
  });

  it('ignores case, accents and compatibility forms, and has each term once', () => {
    expect(queryOf({ q: ' ＣＡＦÉ\u00a0ﬁle\tcafe Ёлка ' }).terms).to.deep.equal(['cafe', 'file', 'елка']);
  });

  it('reads letters without a decomposition as the letters that people write for them', () => {
    const written = {
      'Łódź łódka': ['lodz', 'lodka'],
      'Straße STRASSE ẞ': ['strasse', 'ss'],
      'Smørrebrød ǿ': ['smorrebrod', 'o'],
      'Đà Nẵng': ['da', 'nang'],
      'Œuvre Æon ǽ': ['oeuvre', 'aeon', 'ae'],
      'Þór Ðúr eð': ['thor', 'dur', 'ed'],
      'Ħaġar ĦĦ': ['hagar', 'hh'],
      'ISTANBUL İstanbul ıstanbul': ['istanbul'],
      'Sáŋga Ŧ ĸ': ['sanga', 't', 'q'],
      'Bakı Şəhər': ['baki', 'seher'],
      'Ɓulɗe Ɛwe ɔbra Ƴ': ['bulde', 'ewe', 'obra', 'y'],
      'ŉ ſ ﬆ ĳ ǆ': ['ʼn', 's', 'st', 'ij', 'dz'],
    };
    for (const [q, terms] of Object.entries(written)) expect(queryOf({ q }).terms, q).to.deep.equal(terms);
  });

  it('keeps letters of other scripts, and what is no letter', () => {
    const others = ['ћјљђ', 'ґ', 'θ', '東京', 'ا', '٣', '🖥', '©', '€'];
    for (const q of others) expect(queryOf({ q }).terms).to.deep.equal([q]);
  });

  it('keeps combining marks that are not accents', () => {
    expect(queryOf({ q: 'ガイド हिन्दी 각' }).terms).to.deep.equal(['ガイド', 'हिन्दी', '각']);
  });

  it('has no terms if the search is blank or has only accents', () => {
    for (const q of ['', ' ', '\u3000\t', '\u0301']) expect(queryOf({ q }).terms).to.deep.equal([]);
  });

  it('cuts a search at 200 code points before anything else', () => {
    expect(queryOf({ q: `${' '.repeat(199)}ab` }).terms).to.deep.equal(['a']);
    expect(queryOf({ q: '🚀'.repeat(201) }).terms).to.deep.equal(['🚀'.repeat(200)]);
  });
});
