import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { palettes, type Palette } from '../../bench/charts/palette.ts';
import { fileOf, root } from '../../docs/generate/repository.ts';
import { readDrawing } from './in-drawing.js';
import { borrowChromium } from './launch-chromium.ts';

/** A chart as the browser draws it. */
interface Drawn {
  /** The verdict of Chromium's XML parser. */
  readonly isWellFormed: boolean;
  readonly role: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly Text[];
  /** Every color that a shape is filled or drawn with, as the browser computes it. */
  readonly colors: readonly string[];
}

interface Text {
  readonly text: string;
  /** As the browser computes it. */
  readonly fill: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

const images = globSync('bench/images/*.svg', { cwd: root }).toSorted();

describe('the charts of the benchmarks', () => {
  const browser = borrowChromium();
  let page: Page;

  before(async () => {
    page = await browser().newPage();
  });

  it('come in pairs, in light and in dark colors', () => {
    const names = [...new Set(images.map((image) => image.replace(/-(light|dark)\.svg$/, '')))];
    expect(images).to.deep.equal(names.flatMap((name) => [`${name}-dark.svg`, `${name}-light.svg`]));
    expect(names.map((name) => basename(name))).to.include.members(['sqlite', 'mongodb']);
  });

  for (const image of images) {
    it(`are an image with a name and a description: ${image}`, async () => {
      const drawn = await drawnIn(image);
      expect([drawn.isWellFormed, drawn.role]).to.deep.equal([true, 'img']);
      expect(drawn.title).to.not.equal('');
      expect(drawn.texts.map(({ text }) => text)).to.include(drawn.title);
      expect(drawn.description.split('; ')).to.have.length.above(5);
    });

    it(`have the unit at an axis, and labels that neither overlap nor leave the image: ${image}`, async () => {
      const { texts, width, height } = await drawnIn(image);
      expect(texts.filter(({ text }) => /\((µs|ms|MB)\)$/.test(text))).to.not.deep.equal([]);
      const outside = texts.filter(({ x, y, right, bottom }) => x < 0 || y < 0 || right > width || bottom > height);
      expect(outside).to.deep.equal([]);
      expect(overlapsOf(texts)).to.deep.equal([]);
    });

    it(`have text and shapes that stand out from the background: ${image}`, async () => {
      const { name, background, ink, quietInk, grid, series }: Palette = paletteOf(image);
      const { texts, colors } = await drawnIn(image);
      const known = [...[background, ink, quietInk, grid, ...series].map(computed), 'none', 'rgba(0, 0, 0, 0)'];
      expect(colors.filter((color) => !known.includes(color))).to.deep.equal([]);
      expect(texts.filter(({ fill }) => ![ink, quietInk].map(computed).includes(fill))).to.deep.equal([]);
      expect(`${name} ${[ink, quietInk].every((color) => contrast(color, background) >= 4.5)}`).to.equal(
        `${name} true`,
      );
      expect(series.filter((color) => contrast(color, background) < 3)).to.deep.equal([]);
    });
  }

  async function drawnIn(image: string): Promise<Drawn> {
    await page.goto(pathToFileURL(fileOf(image)).href);
    return page.evaluate(readDrawing);
  }
});

function paletteOf(image: string): Palette {
  const palette = palettes.find(({ name }) => image.endsWith(`-${name}.svg`));
  if (palette === undefined) throw new Error(`${image} has no palette`);
  return palette;
}

function overlapsOf(texts: Drawn['texts']): readonly string[] {
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom)
      .map((other) => `${one.text} and ${other.text}`),
  );
}

/** The contrast ratio of two colors (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A color as the browser computes it. */
function computed(color: string): string {
  return `rgb(${channelsOf(color).join(', ')})`;
}

/** Red, green and blue of `#rrggbb`. */
function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** The relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
