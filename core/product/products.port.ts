import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { ProductMail } from './product-mail.ts';

/** The links and the icon of a product that its buyers are shown. Null for each that the product does not have. */
export interface ProductLinks {
  /** Where the product is downloaded: an https URL. */
  readonly downloadUrl: string | null;
  /** Where its buyers get help: an https URL or `mailto:` and an address. */
  readonly supportUrl: string | null;
  /** Where its buyers manage what they pay: an https URL. */
  readonly accountUrl: string | null;
  /**
   * The link that opens the app with a key, which stands for `{key}`: a link with a scheme of the app's own. Never in
   * mails.
   */
  readonly activateUrl: string | null;
  /** A square image, an https URL. */
  readonly iconUrl: string | null;
}

/** The facts of a product that can change. */
export interface ProductFacts extends ProductLinks, ProductMail {
  readonly name: string;
}

/** A product that a merchant sells. App keys and entitlements belong to one. */
export interface Product extends ProductFacts {
  readonly id: string;
  readonly createdAt: Date;
}

/** The facts that a product may lack. */
export type OptionalFacts = Omit<ProductFacts, 'name'>;

/** A product to be stored. The defaults of facts that are left out are in `plainFacts`. */
export type NewProduct = Omit<Product, keyof OptionalFacts> & Partial<OptionalFacts>;

/** The facts of a product of which only the name is known. */
export const plainFacts: OptionalFacts = {
  downloadUrl: null,
  supportUrl: null,
  accountUrl: null,
  activateUrl: null,
  iconUrl: null,
  mailKeys: true,
  mailSubject: null,
  mailText: null,
  mailEnding: false,
};

/** The names of everything that can change of a product. */
export const optionalFactNames = Object.keys(plainFacts) as readonly (keyof OptionalFacts)[];
export const factNames = ['name', ...optionalFactNames] as const;

/** The facts of a product, and nothing else that it has. */
export function factsOf(product: ProductFacts): ProductFacts {
  return Object.fromEntries(factNames.map((name) => [name, product[name]])) as unknown as ProductFacts;
}

export interface Products {
  find(id: string, call: Call): Promise<Product | null>;

  /** Lists at most `limit` products after an id, or the first ones, by id in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly Product[]>;

  add(product: NewProduct, call: Call): Promise<'added' | 'id taken'>;

  /**
   * Adds a product, or gives the product with its id these facts; the instant of its creation stays. Safe to repeat: a
   * write that had to be repeated may return `unchanged` for its own change.
   */
  put(product: NewProduct, call: Call): Promise<'added' | 'replaced' | 'unchanged'>;

  /** Gives a product other facts, if it still has those that were seen. */
  replace(seen: Product, next: ProductFacts, call: Call): Promise<ReplaceOutcome>;
}
