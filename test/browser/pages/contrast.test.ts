import { expect } from 'chai';
import { createAssets } from '../../../adapters/web/page/assets.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { leastContrasts } from './in-palette.js';

interface Least {
  readonly contrast: number;
  readonly rule: string;
}

type Pair = readonly [color: string, ground: string];

const grounds = ['--canvas', '--surface', '--raised', '--sunken', '--accent-wash'];
const states = ['--ok', '--info', '--warn', '--bad'];

/** Nine steps of each channel. */
const accents = Array.from({ length: 729 }, (_, index) => {
  const channels = [Math.floor(index / 81), Math.floor(index / 9) % 9, index % 9];
  return `#${channels
    .map((step) =>
      Math.min(255, step * 32)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
});

/** Text, and what it stands on. */
const texts: readonly Pair[] = [
  ...pairs(['--text', '--muted', '--accent-text'], grounds),
  ...pairs(states, ['--canvas', '--surface', '--raised']),
  ...states.map((state): Pair => [state, `${state}-wash`]),
  ...pairs(
    ['--text', '--accent-text'],
    states.map((state) => `${state}-wash`),
  ),
  ...pairs(['--on-accent'], ['--accent', '--accent-hover']),
  ['#fff', 'var(--bad-solid)'],
];

/** The colors that mark a control, the focus, and the parts of drawings (WCAG 2.2, 1.4.11). */
const edges: readonly Pair[] = [
  ...pairs(['--control', '--accent-edge', '--accent-text', '--bad'], ['--canvas', '--surface', '--raised']),
  ...pairs(['--accent-bar'], ['--canvas', '--surface']),
];

describe('the colors that follow from an accent', () => {
  const browser = borrowChromium();

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have enough contrast in ${colorScheme} colors, whatever the accent`, async () => {
      const page = await browser().newPage({ colorScheme });
      const sheets = accents.map((accent) => createAssets({ accent }).stylesheet.content.bytes.toString());
      await page.setContent(`<style>${sheets[0]}</style>`);
      const rules = sheets.map((sheet) => sheet.slice(0, sheet.indexOf('\n')));
      expect(new Set(rules).size).to.equal(729);
      const all = [...texts, ...edges].map((pair) =>
        pair.map((name) => (name.startsWith('--') ? `var(${name})` : name)),
      );
      const least: readonly Least[] = await page.evaluate(leastContrasts, { rules, pairs: all });
      await page.close();
      const tooLow = least.flatMap(({ contrast, rule }, index) => {
        const minimum = index < texts.length ? 4.5 : 3;
        return contrast >= minimum ? [] : [`${all[index]?.join(' on ')}: ${contrast.toFixed(2)} with ${rule}`];
      });
      expect(tooLow).to.deep.equal([]);
    });
  }

  it('let the letter of each tile be read on both ends of its ground', async () => {
    const page = await browser().newPage();
    const sheet = createAssets({ accent: '#0f766e' }).stylesheet.content.bytes.toString();
    await page.setContent(`<style>${sheet}</style>`);
    const rules = [...sheet.matchAll(/\.hue-\d+ (\{[^}]*\})/g)].map(([, body]) => `:root${body}`);
    const ends = /155deg,\s*(oklch\(.*\)),\s*(oklch\(.*\))\s*\)/.exec(sheet)?.slice(1) ?? [];
    const least: readonly Least[] = await page.evaluate(leastContrasts, {
      rules,
      pairs: ends.map((end) => ['#fff', end]),
    });
    await page.close();
    expect([rules.length, ends.length]).to.deep.equal([12, 2]);
    expect(least.filter(({ contrast }) => contrast < 4.5)).to.deep.equal([]);
  });
});

/** Each color on each ground. */
function pairs(colors: readonly string[], on: readonly string[]): readonly Pair[] {
  return colors.flatMap((color) => on.map((ground): Pair => [color, ground]));
}
