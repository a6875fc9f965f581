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
