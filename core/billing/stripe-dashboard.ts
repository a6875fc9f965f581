/** The address of a page of Stripe's dashboard, such as `subscriptions/sub_1`. */
export function dashboardUrl(page: string, { livemode }: { readonly livemode: boolean }): string {
  return `https://dashboard.stripe.com/${livemode ? '' : 'test/'}${page}`;
}

/** The page of a sale of which only the id is known: of a purchase, the list of payments. */
export function salePage(id: string): string {
  return id.startsWith('sub_') ? `subscriptions/${encodeURIComponent(id)}` : 'payments';
}

/** Reports whether a key is one of the test mode. Without a key, the id of a checkout session says it. */
export function isLive(apiKey: string | null, id: string): boolean {
  return !(apiKey === null ? id.startsWith('cs_test_') : apiKey.includes('_test_'));
}
