// Functions that the test of the console's pages runs inside of a page.

/** Returns where the page differs from what the same response is without scripts; null if nowhere. */
export function differenceToServed(served) {
  // It runs no script, and reads `noscript` as a browser without scripts does.
  const { documentElement } = new DOMParser().parseFromString(served, 'text/html');
  if (document.documentElement.isEqualNode(documentElement)) return null;
  const plain = documentElement.outerHTML;
  const shown = document.documentElement.outerHTML;
  const at = [...shown].findIndex((character, index) => character !== plain[index]);
  return { shown: shown.slice(at, at + 200), plain: plain.slice(at, at + 200) };
}

/**
 * The texts whose contrast axe can judge, by what it depends on: color, size, weight, and all that is painted behind them.
 * Axe judges neither single characters, nor what is disabled or cut off, nor what stands on an image.
 */
export function textsByLook() {
  const behind = new Map([[null, '']]);
  const behindOf = (element) => {
    if (!behind.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
      const own = `${backgroundColor} ${backgroundImage} ${opacity} ${filter}`;
      const isClear = own === 'rgba(0, 0, 0, 0) none 1 none';
      behind.set(element, behindOf(element.parentElement) + (isClear ? '' : `${own};`));
    }
    return behind.get(element);
  };
  const texts = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const isTyped = element.matches('textarea, input:not([type=checkbox], [type=radio])');
    const text = own.map(({ data }) => data).join('') + (isTyped ? element.value : '');
    if (text.trim().length < 2 || element.closest('svg, :disabled') !== null) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element);
    if (visibility !== 'visible') continue;
    const look = `${color} ${fontSize} ${fontWeight} ${textShadow} on ${behindOf(element)}`;
    if (/url\(|gradient\(/.test(look)) continue;
    texts.set(look, [...(texts.get(look) ?? []), element]);
  }
  return texts;
}

/** Whether a text looks like none that was judged. */
export function hasNewLook(judged) {
  return globalThis
    .textsByLook()
    .keys()
    .some((look) => !judged.includes(look));
}

/** Judges the contrast of all texts. Returns those that are too faint, and the looks of those that are not. */
export async function judgeContrast() {
  const { passes, violations } = await globalThis.axe.run({
    runOnly: ['color-contrast'],
    resultTypes: ['passes', 'violations'],
    elementRef: true,
    selectors: false,
  });
  const [legible, faint] = [passes, violations].map((results) =>
    results.flatMap(({ nodes }) => nodes.map(({ element }) => element)),
  );
  const passed = new Set(legible);
  const looks = [...globalThis.textsByLook()].filter(([, elements]) => elements.some((each) => passed.has(each)));
  return { faint: faint.map(({ outerHTML }) => outerHTML.slice(0, 200)), looks: looks.map(([look]) => look) };
}
