import { countedDays, type DailyCounts } from '../../../../core/overview/show-overview.ts';
import { day } from '../../../../core/parsing/duration.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { dayText } from '../display/dates.ts';

const height = 56;
const width = 16;
const step = 20;
/** A figure of the last days. Those who do not see it hear its numbers. */
export function barFigure(name: string, perDay: string, counts: DailyCounts, now: Date): Html {
  if (counts === null) {
    return html`<figure class="figure">
      <figcaption><strong>–</strong>${name} <span class="muted">too many to count here</span></figcaption>
    </figure>`;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const today = counts.at(-1) ?? 0;
  const first = new Date(now.getTime() - (countedDays - 1) * day);
  return html`<figure class="figure">
    <figcaption>
      <strong>${countText(total)}</strong>${name}
      <span class="muted">${countText(today)} today</span>
    </figcaption>
    <svg
      class="bars"
      viewBox="0 0 ${step * countedDays} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${perDay} a day, from ${dayText(first, now)} to today: ${counts.join(', ')}"
    >
      ${bars(counts)}
    </svg>
  </figure>`;
}

function bars(counts: readonly number[]): readonly Html[] {
  const most = Math.max(1, ...counts);
  return counts.map((count, index) => {
    const size = count === 0 ? 2 : Math.max(2, Math.round((count / most) * height));
    const style = [...(count === 0 ? ['none'] : []), ...(index === counts.length - 1 ? ['now'] : [])].join(' ');
    return html`<rect
      class="${style}"
      x="${index * step + 2}"
      y="${height - size}"
      width="${width}"
      height="${size}"
      rx="2"
    ></rect>`;
  });
}
