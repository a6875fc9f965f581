/** The colors of the charts on one background. */
export interface Palette {
  readonly name: 'light' | 'dark';
  readonly background: string;
  /** Of text. */
  readonly ink: string;
  /** Of subtitles, axes and notes. */
  readonly quietInk: string;
  /** Of lines that only guide the eye. */
  readonly grid: string;
  /** Of the data: Latchkey, what it is measured against, and a third and fourth series. */
  readonly series: readonly [latchkey: string, reference: string, third: string, fourth: string];
}

/** Every ink has at least 4.5:1 against its background, every series at least 3:1 (WCAG 2.2, 1.4.3 and 1.4.11). */
export const palettes: readonly Palette[] = [
  {
    name: 'light',
    background: '#ffffff',
    ink: '#1f2328',
    quietInk: '#59636e',
    grid: '#d1d9e0',
    series: ['#0969da', '#7d8590', '#bc4c00', '#8250df'],
  },
  {
    name: 'dark',
    background: '#0d1117',
    ink: '#e6edf3',
    quietInk: '#9198a1',
    grid: '#30363d',
    series: ['#58a6ff', '#8b949e', '#f0883e', '#d2a8ff'],
  },
];
