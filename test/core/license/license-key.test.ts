import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  canBeImported,
  generateLicenseKey,
  hasIssuedForm,
  hasLicenseKeyLength,
  isIssuedKey,
  lastFourOf,
  licenseDigest,
  licenseKeyIdentity,
  licenseKeyRule,
} from '../../../core/license/license-key.ts';
import { range } from '../../support/range.ts';
import { randomBytes, sha256 } from '../../support/run/secrets.ts';

/** A text in full-width forms. */
function wide(text: string): string {
  return text.replaceAll(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An issued key that begins with these symbols. */
function issuedWith(symbols: string): string {
  const bare = `LK${symbols.padEnd(29, '0')}`;
  return Array.from(alphabet, (end) => bare + end).find(isIssuedKey) ?? '';
}

/** Keys from arbitrary bytes. */
const keys = fc
  .uint8Array({ minLength: 29, maxLength: 29 })
  .map((bytes) => generateLicenseKey((count) => bytes.slice(0, count)));

describe('hasIssuedForm', () => {
  it('knows how an issued key begins, with or without hyphens', () => {
    for (const text of ['LK-ABC', 'lkabc', 'LK--0a9', ' LK-A BC']) expect(hasIssuedForm(text), text).to.equal(true);
    for (const text of ['XLK-ABC', 'LK-AB', 'LK-A', 'LK', 'LK_ABC', ''])
      expect(hasIssuedForm(text), text).to.equal(false);
  });
});

describe('generateLicenseKey', () => {
  it('returns LK and six groups of five symbols that cannot be misread', () => {
    fc.assert(fc.property(keys, (key) => void expect(key).to.match(/^LK(-[0-9A-HJKMNP-TV-Z]{5}){6}$/)));
  });

  it('never changes how the check symbol is computed, or existing keys would be unknown', () => {
    expect(generateLicenseKey((count) => Uint8Array.from(range(count)))).to.equal(
      'LK-01234-56789-ABCDE-FGHJK-MNPQR-STVWH',
    );
  });

  it('never returns a key twice', () => {
    expect(new Set(range(1000).map(() => generateLicenseKey(randomBytes))).size).to.equal(1000);
  });

  it('varies every symbol', () => {
    const made = range(1000).map(() => generateLicenseKey(randomBytes).slice(3).replaceAll('-', ''));
    for (const position of range(30)) {
      const symbols = new Set(made.map((key) => key.charAt(position)));
      expect(symbols.size).to.equal(alphabet.length);
    }
  });
});

describe('licenseKeyIdentity', () => {
  const key = generateLicenseKey(randomBytes);
  const identity = key.replaceAll('-', '');

  const spellings: readonly (readonly [string, (key: string) => string])[] = [
    ['as issued', (raw) => raw],
    ['in lower case', (raw) => raw.toLowerCase()],
    ['without hyphens', (raw) => raw.replaceAll('-', '')],
    ['with spaces for hyphens', (raw) => raw.replaceAll('-', ' ')],
    ['with hyphens in other places', (raw) => `L-K${raw.slice(2).replaceAll('-', '--')}-`],
    ['with a newline and a tab around it', (raw) => `\t${raw}\r\n`],
    ['with a no-break space inside', (raw) => raw.replace('-', '\u00A0')],
    ['with invisible characters', (raw) => `\uFEFF${raw.replaceAll('-', '\u00AD-\u200B')}\u2060`],
    [
      'with the hyphens of word processors',
      (raw) => raw.replace('-', '\u2013').replace('-', '\u2011').replace('-', '\u2212'),
    ],
    ['with full-width forms', wide],
    ['in quotes', (raw) => `\u201C${raw}\u201D`],
    ['with O for 0', (raw) => raw.replaceAll('0', 'O')],
    ['with o for 0', (raw) => raw.replaceAll('0', 'o')],
    ['with I for 1', (raw) => raw.replaceAll('1', 'I')],
    ['with l for 1', (raw) => raw.replaceAll('1', 'l')],
  ];
  for (const [title, spell] of spellings) {
    it(`is the same for a key ${title}`, () => {
      fc.assert(
        fc.property(keys, (raw) => void expect(licenseKeyIdentity(spell(raw))).to.equal(raw.replaceAll('-', ''))),
      );
    });
  }

  it('differs for every wrong symbol, which the check symbol detects', () => {
    const wrong = range(identity.length - 2).flatMap((index) =>
      Array.from(alphabet)
        .filter((symbol) => symbol !== identity.charAt(index + 2))
        .map((symbol) => identity.slice(0, index + 2) + symbol + identity.slice(index + 3)),
    );
    expect(wrong).to.have.lengthOf(30 * 31);
    // A key that does not have the issued form stays as it is, in its own case.
    for (const typed of wrong) expect(licenseKeyIdentity(typed.toLowerCase())).to.equal(typed.toLowerCase());
  });

  it('differs if two neighbours are swapped, unless they are 0 and Z, which the check does not detect', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 2, max: 30 }), (raw, index) => {
        const bare = raw.replaceAll('-', '');
        const pair = bare.slice(index, index + 2);
        fc.pre(pair.charAt(0) !== pair.charAt(1) && pair !== '0Z' && pair !== 'Z0');
        const exchanged = bare.slice(0, index) + pair.charAt(1) + pair.charAt(0) + bare.slice(index + 2);
        expect(licenseKeyIdentity(exchanged.toLowerCase())).to.equal(exchanged.toLowerCase());
      }),
    );
  });

  it('differs for letters whose upper case in Unicode is that of another letter or sign', () => {
    const [dotless, ...others] = ['\u0131', '\u017F', '\u00DF', '\uFB00', '\uFB06'];
    expect(isIssuedKey(issuedWith('1SFT'))).to.equal(true);
    expect(licenseKeyIdentity(issuedWith('1').replace('1', dotless ?? ''))).not.to.match(/^LK1/);
    for (const other of others) {
      const issued = issuedWith(other.toUpperCase());
      expect(licenseKeyIdentity(issued.replace(other.toUpperCase(), other)), other).not.to.equal(issued);
    }
  });

  const asTheyAre = [
    'Imported-Key-2019-abcdefgh',
    'lk-not-a-key-of-the-issued-form',
    'XK-01234-56789-ABCDE-FGHJK-MNPQR-STVWH',
    'LK-00000-00000-00000-00000-00000-0000',
    'LK-UUUUU-00000-00000-00000-00000-00000',
    'a"quote"inside-and-at-the-end"',
    '""\u201C""""""""""""""""""""""',
    'ſpecial-caſe-ıİß-ΑΒΓ-0123456789',
    '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉',
    'control\u0000characters\u0007inside-the-key',
  ];
  for (const imported of asTheyAre) {
    it(`leaves ${JSON.stringify(imported)} as it is, without white space at its ends`, () => {
      expect(licenseKeyIdentity(imported)).to.equal(imported);
      expect(licenseKeyIdentity(` \n${imported}\t `)).to.equal(imported);
    });
  }

  const own = 'A08AF963-Straße9-12C42655/4BB1D4EB=';
  const ways: readonly (readonly [string, string])[] = [
    ['copied in parts', 'A08AF963-  Straße9-12C42655/ 4BB1D4EB= '],
    ['folded by a mail', 'A08AF963-Straße9-\r\n\t12C42655/4BB1D4EB='],
    ['with no-break spaces', '\u00A0A08AF963-\u202FStraße9-12C42655/\u30004BB1D4EB='],
    ['with invisible characters', '\uFEFFA08AF963-\u00ADStraße9-\u200B12C42655/\u2060\u200E4BB1D4EB='],
    ['with the hyphens of word processors', 'A08AF963\u2011Straße9\u201312C42655/4BB1D4EB='],
    ['with a minus and a full-width hyphen', 'A08AF963\u2212Straße9\uFF0D12C42655/4BB1D4EB='],
    ['with full-width forms', wide(own)],
    ['with a decomposed accent', own.normalize('NFD')],
    ...['""', "''", '\u201C\u201D', '\u201E\u201C', '\u00AB\u00BB', '\u2018\u2019', '``'].map(
      ([first = '', last = '']) => [`in ${first}${last}`, ` ${first}${own}${last}\n`] as const,
    ),
  ];
  for (const [title, typed] of ways) {
    it(`is the same for an imported key ${title}`, () => {
      expect(licenseKeyIdentity(typed)).to.equal(own);
    });
  }

  it('keeps apart what vendors may tell apart: case, missing hyphens, and every other character', () => {
    const others = [own.toLowerCase(), own.replace('-', ''), own.replace('-', '--'), own.replace('/', '_'), `${own}=`];
    expect(
      new Set([own, ...others, own.replace('0', 'O'), `"${own}`, `${own}\u0000`].map(licenseKeyIdentity)).size,
    ).to.equal(9);
  });

  it('folds what follows one plain character', () => {
    expect(licenseKeyIdentity('K\u00AD\u3000')).to.equal('K');
  });

  it('is idempotent', () => {
    const odd = fc.string({
      unit: fc.constantFrom('e', '\u0301', '\u200D', '\u00A8', '"', '\uFF02', '\u212B', '-', '\u2010', ' '),
    });
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 130 }), keys, odd);
    fc.assert(
      fc.property(
        texts,
        (raw) => void expect(licenseKeyIdentity(licenseKeyIdentity(raw))).to.equal(licenseKeyIdentity(raw)),
      ),
    );
  });

  it('determines the digest', () => {
    expect(licenseDigest(` ${key.toLowerCase()}`, sha256)).to.equal(sha256(identity));
    expect(licenseDigest('Imported-Key-2019-abcdefgh', sha256)).to.equal(sha256('Imported-Key-2019-abcdefgh'));
  });
});

describe('hasLicenseKeyLength', () => {
  for (const unit of ['k', 'ß', ' ', '\n', '\u0000', '🎉', '\uD83C']) {
    it(`counts 24 to 120 code points of ${JSON.stringify(unit)}`, () => {
      const lengths = [0, 1, 12, 23, 24, 25, 119, 120, 121, 240, 241, 5000];
      const within = lengths.filter((length) => hasLicenseKeyLength(unit.repeat(length)));
      expect(within).to.deep.equal([24, 25, 119, 120]);
    });
  }

  it('counts as iterating over the text does', () => {
    const texts = fc.string({ unit: fc.constantFrom('k', '🎉', '\uD83C', '\uDF89'), minLength: 20, maxLength: 125 });
    fc.assert(
      fc.property(texts, (raw) => {
        const length = Array.from(raw).length;
        expect(hasLicenseKeyLength(raw)).to.equal(length >= 24 && length <= 120);
      }),
    );
  });

  it('counts the white space of the raw value', () => {
    expect([hasLicenseKeyLength(` ${'k'.repeat(22)} `), hasLicenseKeyLength(`${'k'.repeat(120)}\n`)]).to.deep.equal([
      true,
      false,
    ]);
  });
});

describe('canBeImported', () => {
  it('refuses a key that is too short without the white space that does not count', () => {
    const ends = ['', ' ', '\t', '\n', '\u00a0', '\uFEFF'];
    for (const end of ends) {
      expect([22, 23, 24].map((length) => canBeImported(end.repeat(2) + 'k'.repeat(length) + end))).to.deep.equal([
        false,
        false,
        true,
      ]);
      expect(canBeImported(end.repeat(24)), JSON.stringify(end)).to.equal(false);
    }
  });

  it('refuses a key with an unpaired surrogate, whose digest is that of other keys', () => {
    const unpaired = ['\uD83C', '\uDF89'].map((unit) => 'k'.repeat(24) + unit);
    expect(unpaired.map(canBeImported)).to.deep.equal([false, false]);
    expect(canBeImported('🎉'.repeat(24))).to.equal(true);
  });

  it('refuses a key of which fewer than 16 characters are seen, so that no blank text is one', () => {
    for (const gap of [' ', '\u200B', '\u00AD\n']) {
      const keyOf = (seen: number): string => `${'k'.repeat(seen - 1)}${gap.repeat(30)}k`;
      expect([15, 16].map((seen) => canBeImported(keyOf(seen)))).to.deep.equal([false, true]);
      expect(canBeImported(gap.repeat(30))).to.equal(false);
    }
    expect(canBeImported(`"${' '.repeat(30)}"`)).to.equal(false);
  });

  it('counts white space in the maximum, as verification does', () => {
    expect([canBeImported('k'.repeat(120)), canBeImported(`${'k'.repeat(120)} `)]).to.deep.equal([true, false]);
  });
});

describe('the rule for license keys', () => {
  it('accepts what can be imported, and says what that is', () => {
    expect(['k'.repeat(24), 'k'.repeat(23)].map(licenseKeyRule.parse)).to.deep.equal(['k'.repeat(24), null]);
    expect(licenseKeyRule.rule).to.equal(
      'must have 24 to 120 characters, not counting white space at its ends, 16 of them neither white space nor invisible, and be well-formed Unicode',
    );
  });
});

describe('lastFourOf', () => {
  const samples: readonly (readonly [string, string | null])[] = [
    ['abcdefghijklmnopqrstuvwx', 'uvwx'],
    ['abcdefghijklmnopqrstuvw', null],
    [' abcdefghijklmnopqrstuvw ', null],
    ['🎉'.repeat(24), '🎉🎉🎉🎉'],
    ['🎉'.repeat(23), null],
  ];
  for (const [raw, lastFour] of samples) {
    it(`is ${String(lastFour)} of ${JSON.stringify(raw)}, so that at least 20 characters stay unknown`, () => {
      expect(lastFourOf(raw)).to.equal(lastFour);
    });
  }

  it('uses the identity of an issued key', () => {
    fc.assert(fc.property(keys, (key) => void expect(lastFourOf(`${key.toLowerCase()}-`)).to.equal(key.slice(-4))));
  });
});
