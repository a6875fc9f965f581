export const commissionTexts = ['first_payment', 'lifetime'] as const;

/** The maximum of months for which a maker pays. Longer is `lifetime`. */
export const maxMonths = 120;

/** For how long a maker pays for a customer. A number counts months. */
export type CommissionFor = (typeof commissionTexts)[number] | number;

/** The members of a listing that pages show, and no public answer has. Null where the maker says nothing. */
export interface PageMembers {
  /** The product's own page, an https URL. */
  readonly url: string | null;
  /** A small image of the product, an https URL. */
  readonly imageUrl: string | null;
  /** A text for the page, with marks of its format. */
  readonly description: string | null;
  /** Where an affiliate joins, an https URL. */
  readonly joinUrl: string | null;
  readonly commissionFor: CommissionFor | null;
  /** For how many days after a visit a sale is counted. 0 is the same visit. */
  readonly cookieDays: number | null;
  /** The way and the minimum of payouts, in the words of the maker. */
  readonly payoutLabel: string | null;
  readonly maker: string | null;
  /** The maker's own page, an https URL. */
  readonly makerUrl: string | null;
  /** Where an affiliate asks, an https or a mailto URL. */
  readonly contactUrl: string | null;
  /** A wide picture of the product, an https URL. */
  readonly pictureUrl: string | null;
  /** A text in place of the picture, for those who do not see it. May be empty. */
  readonly pictureAlt: string | null;
}

/** The members of a listing of which nothing is given. */
export const noPageMembers: PageMembers = {
  url: null,
  imageUrl: null,
  description: null,
  joinUrl: null,
  commissionFor: null,
  cookieDays: null,
  payoutLabel: null,
  maker: null,
  makerUrl: null,
  contactUrl: null,
  pictureUrl: null,
  pictureAlt: null,
};

/** Their names, in the order in which exports have them. */
export const pageMembers = Object.keys(noPageMembers) as readonly (keyof PageMembers)[];
