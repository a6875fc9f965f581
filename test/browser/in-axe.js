// Functions that run inside of a page, about what axe finds.

export function hasAxe() {
  return globalThis.axe !== undefined;
}

/** Returns what axe finds. Without rules it tries all of them but `without`. */
export async function findViolations({ rules, without }) {
  const runOnly = rules === undefined ? {} : { runOnly: rules };
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  // Passes are not described: that would take longer than to find the violations.
  const { violations } = await globalThis.axe.run({
    ...runOnly,
    rules: off,
    resultTypes: ['violations'],
    selectors: false,
  });
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html.slice(0, 200)) }));
}

/**
 * The looks of the texts whose contrast axe can judge: all that it depends on, which is color, size, weight, and what is
 * painted behind them. A text that is taken out of the flow has a look of its own for each thing that it may stand on.
 * Axe judges neither single characters, nor what is disabled or cut off, nor what stands on an image.
 */
export function looksOfTexts() {
  // Texts have the colors to which they are changing. The end of one change can begin that of what inherits from it.
  let changing;
  do {
    changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    for (const transition of changing) transition.finish();
  } while (changing.length > 0);
  const behind = new Map([[null, '']]);
  const behindOf = (element) => {
    if (!behind.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element);
      const own = `${backgroundColor} ${backgroundImage} ${opacity} ${filter}`;
      const isClear = own === 'rgba(0, 0, 0, 0) none 1 none';
      const place = ['static', 'relative'].includes(position) ? '' : `${position} ${element.className} `;
      behind.set(element, behindOf(element.parentElement) + place + (isClear ? '' : `${own};`));
    }
    return behind.get(element);
  };
  const texts = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const isTyped = element.matches('textarea, input:not([type=checkbox], [type=radio])');
    const text = own.map(({ data }) => data).join('') + (isTyped ? element.value : '');
    if (text.trim().length < 2 || element.closest('svg, :disabled') !== null) continue;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1 || right <= 0 || bottom + scrollY <= 0) continue;
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element);
    if (visibility !== 'visible') continue;
    const look = `${color} ${fontSize} ${fontWeight} ${textShadow} on ${behindOf(element)}`;
    if (/url\(|gradient\(/.test(look)) continue;
    texts.set(look, [...(texts.get(look) ?? []), element]);
  }
  globalThis.textsByLook = texts;
  return [...texts.keys()];
}

/**
 * Judges the contrast of all texts, after `looksOfTexts`. Returns those that are too faint, and the looks of those that
 * are not.
 */
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
  const looks = [...globalThis.textsByLook].filter(([, elements]) => elements.some((each) => passed.has(each)));
  return { faint: faint.map(({ outerHTML }) => outerHTML.slice(0, 200)), looks: looks.map(([look]) => look) };
}

/** Whether something scrolls in which the keyboard stops nowhere. */
export function scrollsUnreached() {
  const stops =
    'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [tabindex="0"]';
  return [...document.querySelectorAll('*')].some((element) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth <= clientWidth && scrollHeight <= clientHeight) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (![overflowX, overflowY].some((overflow) => ['auto', 'scroll'].includes(overflow))) return false;
    return ![element, ...element.querySelectorAll(stops)].some((each) => each.matches(stops) && each.checkVisibility());
  });
}

/** Whether targets touch, if those of less than 24 pixels were that wide and high. */
export function hasTightTargets() {
  const targets = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')];
  const places = targets.flatMap((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y, halfWidth, halfHeight] = [
      left + width / 2,
      top + height / 2,
      Math.max(12, width / 2),
      Math.max(12, height / 2),
    ];
    return width === 0 ? [] : [{ x, y, halfWidth, halfHeight }];
  });
  return places.some((one) =>
    places.some(
      (other) =>
        other !== one &&
        Math.abs(other.x - one.x) < other.halfWidth + one.halfWidth &&
        Math.abs(other.y - one.y) < other.halfHeight + one.halfHeight,
    ),
  );
}
