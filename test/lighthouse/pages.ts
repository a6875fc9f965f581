/** The categories of Lighthouse. */
export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

/** A page, and what is asked of it. */
export interface AuditedPage {
  readonly path: string;
  readonly isOfConsole: boolean;
  readonly categories: readonly Category[];
}

const all: readonly Category[] = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Pages that no search engine may list: half of the category SEO asks whether it can. */
const unlisted: readonly Category[] = ['performance', 'accessibility', 'best-practices'];

/** Where somebody with a license key begins. Its answers need a key; the page of a link is audited too. */
const licensePage: AuditedPage = { path: '/license', isOfConsole: false, categories: unlisted };

/** The pages of the marketplace, by how a visitor comes to them. The reference at /docs is Swagger UI's. */
const ofMarketplace: readonly AuditedPage[] = [
  ...['/', '/listings/sketchpad', '/waitlist', '/@cleo'].map((path) => ({
    path,
    isOfConsole: false,
    categories: all,
  })),
  { path: '/affiliates?listing=sketchpad', isOfConsole: false, categories: unlisted },
  // An answer 404 is what keeps it out of search engines.
  { path: '/no-such-page', isOfConsole: false, categories: unlisted },
];

/**
 * Of each kind of page one: overview, list, form, record, question, and the record with a preview. The tests in
 * `test/browser` hold every page to axe, to its targets on a phone, and to a quiet console.
 */
const ofConsole: readonly AuditedPage[] = [
  '/console',
  '/console/entitlements',
  '/console/entitlements/grant',
  '/console/entitlements/ent_sale_6',
  '/console/entitlements/ent_demo/revoke',
  '/console/listings/sketchpad',
].map((path) => ({ path, isOfConsole: true, categories: unlisted }));

/** The audited pages of the demo. The paths lead to those of a buyer and of an affiliate, and to a statement. */
export function auditedPages(buyerPath: string, affiliatePath: string, statementPath: string): readonly AuditedPage[] {
  const ofLinks = [buyerPath, affiliatePath].map((path) => ({ ...licensePage, path }));
  const statementPage: AuditedPage = { path: statementPath, isOfConsole: true, categories: unlisted };
  return [...ofMarketplace, licensePage, ...ofLinks, ...ofConsole, statementPage];
}
