import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../docs/generate/repository.ts';
import type { Results } from '../report/report.ts';
import { specOf, type Chart } from './chart.ts';
import { latencyChart } from './latency-chart.ts';
import { mongoChart, sqliteChart } from './operations-chart.ts';
import { palettes } from './palette.ts';
import { sizesChart } from './sizes-chart.ts';
import { soakChart } from './soak-chart.ts';
import { renderAll } from './vega.ts';

const folder = join(root, 'bench/images');

/** Draws every chart whose figures are in the results file, in light and in dark colors. */
export async function drawCharts(): Promise<void> {
  const results = JSON.parse(await readFile(join(root, 'bench/results.json'), 'utf8')) as Results;
  const drawings = chartsOf(results).flatMap((chart) => palettes.map((palette) => ({ chart, palette })));
  const images = await renderAll(drawings.map(({ chart, palette }) => specOf(chart, palette)));
  await mkdir(folder, { recursive: true });
  for (const [index, { chart, palette }] of drawings.entries()) {
    await writeFile(join(folder, `${chart.name}-${palette.name}.svg`), described(images[index] ?? '', chart));
  }
}

function chartsOf({ sqlite, mongo, sizes, latency, soak }: Results): readonly Chart[] {
  return [
    sqlite && sqliteChart(sqlite),
    mongo && mongoChart(mongo),
    sizes && sizesChart(sizes),
    latency && latencyChart(latency),
    soak && soakChart(soak),
  ].filter((chart) => chart !== undefined);
}

/** Makes a drawing one image with a name and a description for screen readers. */
function described(svg: string, { title, description }: Chart): string {
  const texts = `<title id="title">${escaped(title)}</title><desc id="description">${escaped(description)}</desc>`;
  return svg.replace(
    /^<svg ([^>]*)>/,
    (_, attributes: string) =>
      `<svg role="img" aria-labelledby="title" aria-describedby="description" ${attributes}>${texts}`,
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
