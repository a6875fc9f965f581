/** Numbers that follow from a text, so that a product looks the same in every run. */
function numbersOf(text: string): () => number {
  let state = 2_166_136_261;
  const next = (character: number): number => {
    state = Math.imul(state ^ character, 16_777_619) >>> 0;
    return state;
  };
  for (const character of text) next(character.charCodeAt(0));
  return () => ((next(97) >>> 9) % 1000) / 1000;
}

const between = (share: number, low: number, high: number): number => Math.round(low + share * (high - low));

/** The content of the window on a picture, by the kind of product. */
const contents: Readonly<Record<string, (random: () => number, hue: number) => string>> = {
  bars: (random, hue) =>
    range(9)
      .map((index) => {
        const height = between(random(), 60, 270);
        return `<rect x="${210 + index * 90}" y="${500 - height}" width="58" height="${height}" rx="8" fill="hsl(${hue + index * 3} 60% ${between(random(), 48, 66)}%)"/>`;
      })
      .join(''),
  canvas: (random, hue) =>
    range(7)
      .map((index) => {
        const [x, y, size] = [between(random(), 220, 900), between(random(), 210, 400), between(random(), 40, 110)];
        const fill = `hsl(${(hue + index * 47) % 360} 65% 60% / .75)`;
        return index % 2 === 0
          ? `<circle cx="${x}" cy="${y}" r="${size}" fill="${fill}"/>`
          : `<rect x="${x}" y="${y}" width="${size * 1.6}" height="${size}" rx="14" fill="${fill}"/>`;
      })
      .join(''),
  lines: (random, hue) =>
    range(7)
      .map((index) => {
        const width = between(random(), 420, 760);
        const color = index === 0 ? `hsl(${hue} 55% 50%)` : 'hsl(220 14% 85%)';
        return `<rect x="210" y="${180 + index * 48}" width="${index === 0 ? 340 : width}" height="${index === 0 ? 26 : 16}" rx="8" fill="${color}"/>`;
      })
      .join(''),
  tiles: (random, hue) =>
    range(8)
      .map((index) => {
        const [x, y] = [210 + (index % 4) * 200, 180 + Math.floor(index / 4) * 165];
        const light = between(random(), 52, 76);
        return `<rect x="${x}" y="${y}" width="176" height="141" rx="10" fill="hsl(${hue + index * 6} 50% ${light}%)"/><path d="M${x} ${y + 120}l58-52 40 34 30-22 48 40v11q0 10-10 10H${x + 10}q-10 0-10-10z" fill="hsl(${hue} 45% 38% / .5)"/>`;
      })
      .join(''),
  wave: (random, hue) =>
    range(38)
      .map((index) => {
        const height = between(Math.sin(index / 4) ** 2 * 0.6 + random() * 0.4, 24, 280);
        return `<rect x="${212 + index * 21}" y="${335 - height / 2}" width="12" height="${height}" rx="6" fill="hsl(${hue + index} 60% 55%)"/>`;
      })
      .join(''),
};

const contentOf: Readonly<Record<string, keyof typeof contents>> = {
  Accounting: 'bars',
  Analytics: 'bars',
  Design: 'canvas',
  Marketing: 'canvas',
  Music: 'wave',
  Photography: 'tiles',
  Education: 'tiles',
};

/** The wide picture of a product: its window. An SVG, so that it needs neither a file nor a network. */
export function pictureOf(slug: string, category: string): string {
  const random = numbersOf(slug);
  const hue = between(random(), 0, 359);
  const content = contents[contentOf[category] ?? 'lines'];
  return svg(
    1200,
    630,
    `<defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="hsl(${hue} 55% 62%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 60% 42%)"/></linearGradient></defs>` +
      '<path fill="url(#a)" d="M0 0h1200v630H0z"/><rect x="150" y="80" width="900" height="470" rx="18" fill="#fff"/>' +
      '<path d="M150 138V98q0-18 18-18h864q18 0 18 18v40z" fill="hsl(220 16% 93%)"/>' +
      range(3)
        .map((index) => `<circle cx="${182 + index * 28}" cy="109" r="8" fill="hsl(${[4, 42, 130][index]} 65% 62%)"/>`)
        .join('') +
      (content?.(random, hue) ?? ''),
  );
}

const glyphs = [
  '<circle cx="48" cy="48" r="22" fill="none" stroke="#fff" stroke-width="9"/>',
  '<path d="M26 66 48 26l22 40z" fill="#fff"/>',
  '<path d="M28 68V44M48 68V28M68 68V52" stroke="#fff" stroke-width="10" stroke-linecap="round"/>',
  '<path d="M22 52q13-24 26 0t26 0" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round"/>',
  '<path d="m48 24 24 24-24 24-24-24z" fill="#fff"/>',
  '<path d="M28 28h17v17H28zM51 28h17v17H51zM28 51h17v17H28zM51 51h17v17H51z" fill="#fff"/>',
  '<path d="M30 30h36v8H30zM30 44h36v8H30zM30 58h22v8H30z" fill="#fff"/>',
  '<path d="M48 24a24 24 0 0 1 0 48z" fill="#fff"/><circle cx="48" cy="48" r="21" fill="none" stroke="#fff" stroke-width="6"/>',
];

/** The small image of a product. */
export function iconOf(slug: string): string {
  const random = numbersOf(slug);
  const hue = between(random(), 0, 359);
  const gradient = `<defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="hsl(${hue} 60% 58%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 62% 40%)"/></linearGradient></defs>`;
  const glyph = glyphs[between(random(), 0, glyphs.length - 1)] ?? '';
  return svg(96, 96, `${gradient}<path fill="url(#a)" d="M0 0h96v96H0z"/>${glyph}`);
}

function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}
