/** Reads, inside of a page that shows an SVG, what it draws. */
export function readDrawing() {
  const { documentElement } = document;
  const textOf = (selector) => documentElement.querySelector(selector)?.textContent ?? '';
  const hex = (color) => {
    const channels = color.match(/^rgb\((\d+), (\d+), (\d+)\)$/)?.slice(1);
    return channels ? `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}` : color;
  };
  const texts = [...documentElement.querySelectorAll('text')].map((element) => {
    const { x, y, right, bottom } = element.getBoundingClientRect();
    return { text: element.textContent, fill: hex(getComputedStyle(element).fill), x, y, right, bottom };
  });
  const isDrawn = (element) => element.getBoundingClientRect().width + element.getBoundingClientRect().height > 0;
  const shapes = [...documentElement.querySelectorAll('path, rect, line')].filter(isDrawn);
  const colors = shapes.flatMap((element) => [getComputedStyle(element).fill, getComputedStyle(element).stroke]);
  const { width, height } = documentElement.getBoundingClientRect();
  return {
    isWellFormed: documentElement.localName === 'svg' && document.querySelector('parsererror') === null,
    role: documentElement.getAttribute('role') ?? '',
    title: textOf(':scope > title'),
    description: textOf(':scope > desc'),
    width,
    height,
    texts: texts.filter(({ text }) => text !== ''),
    colors: [...new Set(colors.map(hex))],
  };
}
