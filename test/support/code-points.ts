const fullWidthTilde = '\u{FF5E}';
const grin = '\u{1F600}';

/**
 * Texts in code-point order, which ids and other keys can be. The last two tell code points from UTF-16 units: by those,
 * the surrogate pair of U+1F600 comes before U+FF5E.
 */
export const inCodePointOrder: readonly string[] = [
  ...'- . 0 10 9 A Z _ a a. a0 aa ~'.split(' '),
  fullWidthTilde,
  grin,
];
