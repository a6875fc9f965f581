import type { Catalog } from '../../../core/catalog/catalog.port.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { noStore, type PageAnswer, type Refused } from '../page/page.ts';

/** The parts that all pages of affiliates are made with. */
export interface AffiliateParts {
  readonly catalog: Catalog;
  readonly layout: Layout;
  readonly baseUrl: () => string;
  readonly refused: Refused;
  /** That of pages without scripts. */
  readonly contentPolicy: string;
  /** That of the pages that search engines keep, which lets their tools read `/robots.txt` from the page. */
  readonly listedPolicy: string;
  /** The `Cache-Control` of pages that show the catalog. */
  readonly cacheControl: () => string;
}

/** Makes the answer of a page that nobody may keep. */
export function answerPage(
  { layout, contentPolicy }: Pick<AffiliateParts, 'layout' | 'contentPolicy'>,
  page: Page,
  status = 200,
  error?: PageAnswer['error'],
): PageAnswer {
  return {
    status,
    content: layout.render(page),
    contentType: 'text/html; charset=utf-8',
    cacheControl: noStore,
    contentPolicy,
    ...(error !== undefined && { error }),
  };
}
