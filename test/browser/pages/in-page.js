// Functions that tests run inside of a page.

/** Reports violations of the policy in the console, and notes each shift of the layout. */
export function watch() {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`${violatedDirective} blocks ${blockedURI}`),
  );
  globalThis.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => ({
        what: node?.nodeName,
        from: previousRect.toJSON(),
        to: currentRect.toJSON(),
      }));
      globalThis.layoutShifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The width of the content and of the screen, and what has moved by how much. */
export function measure() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return { scrollWidth, clientWidth, layoutShifts: globalThis.layoutShifts };
}

/** The text that is selected. */
export function selectedText() {
  return String(globalThis.getSelection());
}

/** The label or the text of the element that has the focus. */
export function focusedText() {
  const element = document.activeElement;
  return (element.labels?.[0] ?? element).textContent.replaceAll(/\s+/g, ' ').trim();
}

/** Whether the element that has the focus is outlined, or the card whose link it is. */
export function isFocusVisible() {
  const { activeElement } = document;
  return [activeElement, activeElement.closest('.card')].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  });
}

/** The styles of an element that tests look at. */
export function stylesOf(element) {
  const { borderTopStyle, borderTopColor, color, backgroundColor, transform, transitionDuration } =
    getComputedStyle(element);
  return { borderTopStyle, borderTopColor, color, backgroundColor, transform, transitionDuration };
}

export function naturalWidth(image) {
  return image.naturalWidth;
}

export function areResultsFocused() {
  return document.activeElement?.id === 'results';
}

export function isPainted() {
  return performance.getEntriesByName('first-contentful-paint').length > 0;
}

/** The names of all elements with their attributes' names, in their order. */
export function structure() {
  return [...document.querySelectorAll('*')].map(
    ({ localName, attributes }) => `${localName} ${[...attributes].map(({ name }) => name).join(' ')}`,
  );
}

/** Whether the text of an element runs from left to right. */
export function runsLeftToRight(element) {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const leftOf = (index) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  };
  return leftOf(0) < leftOf(text.length - 1);
}

/** The data that the page keeps on the machine of its reader. */
export function keptText() {
  return JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]);
}

/** Whether nothing of the page lies beside the screen. */
export function fitsItsWidth() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth <= clientWidth;
}

/**
 * The labels beside values, on narrow screens, that touch or cover their value: those whose longest word is wider than the
 * room that they have.
 */
export function labelsThatTouch() {
  const canvas = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('td[data-label]')].flatMap((cell) => {
    const style = getComputedStyle(cell, '::before');
    const gap = Number.parseFloat(style.paddingInlineEnd);
    canvas.font = style.font;
    const label = cell.dataset.label;
    const widest = Math.max(...label.split(' ').map((word) => canvas.measureText(word).width));
    return gap >= 4 && widest + gap <= Number.parseFloat(style.inlineSize) ? [] : [label];
  });
}

/** The links of the console's navigation as they stand on the screen, and whether that of the current page is seen. */
export function shownNavigation() {
  const links = [...document.querySelectorAll('nav[aria-label="Console"] a')];
  const places = links.map((link) => ({ link, place: link.getBoundingClientRect() }));
  const shown = places.toSorted((a, b) => a.place.top - b.place.top || a.place.left - b.place.left);
  const current = places.find(({ link }) => link.ariaCurrent !== null)?.place ?? { left: 0, right: 0 };
  const isCurrentSeen = current.left >= 0 && current.right <= document.documentElement.clientWidth;
  return { names: shown.map(({ link }) => link.textContent.trim()), isCurrentSeen };
}
