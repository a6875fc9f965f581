import blurbsByCategory from './products.json' with { type: 'json' };

/** A product of the catalog. */
export interface DemoProduct {
  readonly slug: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
}

/** The products of the catalog, category by category. */
export const demoProducts: readonly DemoProduct[] = Object.entries(blurbsByCategory).flatMap(([category, blurbs]) =>
  Object.entries(blurbs).map(([name, blurb]) => ({ slug: slugOf(name), name, blurb, category })),
);

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(' ', '-');
}
