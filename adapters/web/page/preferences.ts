/** Whether a client prefers a page to JSON, by its `Accept` field. Clients that take anything get JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = weightsIn(accept);
  return (
    weightOf(weights, ['text/html', 'text/*', '*/*']) > weightOf(weights, ['application/json', 'application/*', '*/*'])
  );
}

export type Coding = 'br' | 'gzip';

/** The content coding to answer in, by the `Accept-Encoding` field; null for none. */
export function chooseCoding(acceptEncoding: string): Coding | null {
  if (acceptEncoding === '') return null;
  const weights = weightsIn(acceptEncoding);
  const [brotli, gzip] = [weightOf(weights, ['br', '*']), weightOf(weights, ['gzip', 'x-gzip', '*'])];
  if (brotli > 0 && brotli >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : null;
}

/** The weight of each name in a list of preferences (RFC 9110 §12.4.2). */
function weightsIn(field: string): ReadonlyMap<string, number> {
  return new Map(
    field.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
    }),
  );
}

/** The weight of the first of these names that the list has, so name the most specific one first. */
function weightOf(weights: ReadonlyMap<string, number>, names: readonly string[]): number {
  const known = names.find((name) => weights.has(name));
  return known === undefined ? 0 : (weights.get(known) ?? 0);
}
