/** Reads, inside of a page that shows an SVG, what it draws. */
export function readDrawing() {
  const { documentElement } = document;
  const textOf = (selector) => documentElement.querySelector(selector)?.textContent ?? '';
  const texts = [...documentElement.querySelectorAll('text')].map((element) => {
    const { x, y, right, bottom } = element.getBoundingClientRect();
    return { text: element.textContent, fill: getComputedStyle(element).fill, x, y, right, bottom };
  });
  const shapes = [...documentElement.querySelectorAll('path, rect, line')].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width + height > 0;
  });
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
    colors: [...new Set(colors)],
  };
}
