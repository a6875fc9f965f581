import type { PageContent } from '../display/view.ts';
import type { ConsoleAnswer, ConsoleError } from './console-page.ts';

/** Shows a form again, with what is wrong. */
export function wrongForm(content: PageContent, error: ConsoleError = 'invalid_body'): ConsoleAnswer {
  return { kind: 'page', status: 400, error, ...content };
}

/** Shows that a change was not made, because the thing is not as it was shown. */
export function stale(content: PageContent): ConsoleAnswer {
  return { kind: 'page', status: 409, error: 'changed_meanwhile', ...content };
}
