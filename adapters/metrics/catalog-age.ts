import { Gauge, type Registry } from '@prometheus-io/client';

/** Shows the age of the catalog, which is given in milliseconds. */
export function showCatalogAge(catalogAge: () => number, registry: Registry): void {
  const age: Gauge = new Gauge({
    name: 'latchkey_catalog_age_seconds',
    help: 'Time since the catalog was last refreshed.',
    registers: [registry],
    aggregator: 'max',
    collect: (): void => age.set(catalogAge() / 1000),
  });
}
