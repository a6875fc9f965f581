/** Compares two texts by code point. `<` compares UTF-16 units, which puts U+1F600 before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let position = 0; position < shared; position += 1) {
    const difference = rank(a.charCodeAt(position)) - rank(b.charCodeAt(position));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Maps a UTF-16 unit so that surrogates, which stand for the highest code points, come after all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
