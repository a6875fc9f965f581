/**
 * Whether a form was sent by a page of this service. Browsers say with each form where it comes from: in `Sec-Fetch-Site`,
 * if they reached the service by a secure address, and in `Origin`. A client that sends neither is no browser, and nobody
 * can make it send a form for somebody else.
 */
export function isSameOrigin(header: (name: string) => string, baseUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== '') return site === 'same-origin' || site === 'none';
  const origin = header('origin');
  if (origin === '') return true;
  const sender = URL.parse(origin)?.host;
  return sender !== undefined && (sender === header('host').toLowerCase() || sender === URL.parse(baseUrl)?.host);
}
