// Functions that the test of contrasts runs inside of a page.

/**
 * The least contrast of each pair of colors over all rules for `:root`, and the rule that has it. A color is written in
 * CSS. Colors are painted, so that they are those of the screen, whichever space they are written in.
 */
export function leastContrasts({ rules, pairs }) {
  const colors = [...new Set(pairs.flat())];
  const probes = colors.map((color) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = color;
    return probe;
  });
  const canvas = new OffscreenCanvas(colors.length, 1).getContext('2d', { willReadFrequently: true });
  const sheet = document.head.appendChild(document.createElement('style'));
  const least = pairs.map(() => ({ contrast: Infinity, rule: '' }));
  for (const rule of rules) {
    sheet.textContent = rule;
    for (const [index, probe] of probes.entries()) {
      canvas.fillStyle = getComputedStyle(probe).color;
      canvas.fillRect(index, 0, 1, 1);
    }
    const { data } = canvas.getImageData(0, 0, colors.length, 1);
    // The relative luminance of each (WCAG 2.2).
    const luminances = colors.map((_, index) => {
      const [red, green, blue] = [...data.subarray(4 * index, 4 * index + 3)].map((byte) => {
        const channel = byte / 255;
        return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    for (const [index, pair] of pairs.entries()) {
      const [dark, light] = pair.map((color) => luminances[colors.indexOf(color)]).toSorted((a, b) => a - b);
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < least[index].contrast) least[index] = { contrast, rule };
    }
  }
  return least;
}
