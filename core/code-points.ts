/** Orders two texts by code point; `<` orders them by UTF-16 unit, which puts U+1F600 before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let position = 0; position < shared; position += 1) {
    const difference = rank(a.charCodeAt(position)) - rank(b.charCodeAt(position));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A UTF-16 unit's place among code points: surrogates stand for those above all others. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
