import type { ConsoleClient } from './console-client.ts';

/** A text that would do harm on a page that does not escape it. */
export const hostile = `"'><script>alert(1)</script>&amp;`;

/** The value of a field of a form. */
export function fieldIn(page: string, name: string): string {
  const input = new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? '';
  return input
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The key or secret that a page shows once; null if it shows none. */
export function secretIn(page: string): string | null {
  return /class="secret"[^>]*>\s*([^<\s]+)\s*</.exec(page)?.[1] ?? null;
}

/** The changes in the log, without the fields of every line. */
export function changesIn({ service }: ConsoleClient): readonly Readonly<Record<string, unknown>>[] {
  const lines = service.logged.filter(({ message }) => message === 'changed');
  return lines.map(
    ({ level: _level, time: _time, message: _message, by: _by, correlationId: _id, ...change }) => change,
  );
}

/** The links and buttons of the content of a page that change something. */
export function changesOn(page: string): readonly string[] {
  const main = page.slice(page.indexOf('<main'));
  const links = [...main.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  const forms = [...main.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action = '']) => action);
  const change =
    /\/(add|import|issue|rename|rotate|rotate-secret|revoke|test|retry|skip|disable|enable|delete|publish|pause|erase)$/;
  return [...links.filter((href) => change.test(href)), ...forms];
}
