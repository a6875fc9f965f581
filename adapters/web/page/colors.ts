/*
 * Colors are `#rrggbb`. Contrast and luminance are those of WCAG 2.2, which asks for 4.5 between a text and what is behind it.
 */

const [black, white] = ['#000000', '#ffffff'];

/** The least contrast of a text. */
const leastContrast = 4.5;

/** Black or white, whichever has more contrast on a color. */
export function readableOn(color: string): '#000' | '#fff' {
  return contrastOf(white, color) >= contrastOf(black, color) ? '#fff' : '#000';
}

/** The color as text on another one: as it is if it can be read there, else with just as much black or white in it. */
export function legibleOn(background: string, color: string): string {
  const other = readableOn(background) === '#fff' ? white : black;
  const steps = 32;
  for (let step = 0; step < steps; step += 1) {
    const mixed = mixOf(color, other, step / steps);
    if (contrastOf(mixed, background) >= leastContrast) return mixed;
  }
  return other;
}

/** The contrast of two colors: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A color with a part of another one: 0 for none of it. */
function mixOf(color: string, other: string, part: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(color).map((value, index) => Math.round(value + ((others[index] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
