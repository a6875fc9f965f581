import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileOf } from '../../docs/generate/repository.ts';
import type { Chart, Spec } from './chart.ts';
import { palettes, type Palette } from './palette.ts';

const run = promisify(execFile);

/** Vega-Lite, apart from the packages of the project, because only charts need it. */
const packages = fileOf('bench/charts/packages');

/** Draws charts in light and in dark colors, with Vega-Lite, which it installs into a folder for temporary files. */
export async function drawCharts(charts: readonly Chart[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-charts-'));
  try {
    await cp(packages, folder, { recursive: true });
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    for (const chart of charts) {
      for (const palette of palettes) {
        const file = join(folder, `${chart.name}-${palette.name}.json`);
        await writeFile(file, JSON.stringify(specOf(chart, palette)));
        const program = join(folder, 'node_modules/.bin/vl2svg');
        const { stdout } = await run(program, [file], { maxBuffer: 64 * 1024 * 1024 });
        await writeFile(fileOf(`bench/images/${chart.name}-${palette.name}.svg`), described(stdout, chart));
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The whole specification of a chart in the colors of a palette. */
function specOf(chart: Chart, palette: Palette): Spec {
  const { ink, quietInk, grid, background } = palette;
  const font = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
  const text = { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background,
    padding: 16,
    title: { text: chart.title, subtitle: chart.subtitle, anchor: 'start', frame: 'bounds', offset: 16 },
    ...chart.view(palette),
    config: {
      aria: false,
      font,
      view: { stroke: null },
      title: { color: ink, fontSize: 16, subtitleColor: quietInk, subtitleFontSize: 12, subtitlePadding: 6 },
      axis: { ...text, gridColor: grid, domainColor: quietInk, tickColor: quietInk, labelLimit: 300 },
      legend: { ...text, labelLimit: 300, symbolSize: 90 },
      header: { labelColor: ink, labelFontSize: 13 },
      text: { color: ink, fontSize: 11 },
      rule: { color: quietInk },
    },
  };
}

/** Makes a drawing one image with a name and a description for screen readers. */
function described(svg: string, { title, description }: Chart): string {
  const texts = `<title id="title">${escaped(title)}</title><desc id="description">${escaped(description.join('; '))}</desc>`;
  const role = 'role="img" aria-labelledby="title" aria-describedby="description"';
  return svg.replace(/^<svg ([^>]*)>/, (_, attributes: string) => `<svg ${role} ${attributes}>${texts}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
