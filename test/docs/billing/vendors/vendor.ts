import type { VendorDelivery } from '../webhook-handler.ts';

/** A vendor whose deliveries examples/billing reads. */
export interface TestedVendor {
  readonly name: string;
  /** The name of its file, without the extension. */
  readonly module: string;
  /** The environment of the handler, with the address of the vendor's API. */
  readonly environment: (api: string) => NodeJS.ProcessEnv;
  /** The stories of its sales, with the answers of its API. */
  readonly stories: readonly Story[];
  /** Deliveries that are not the vendor's; the sale of the first story's first step would grant. */
  readonly forged: (step: Step) => readonly VendorDelivery[];
}

/** The steps of one sale, and the state of its entitlement after each. */
export interface Story {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Step {
  /** The answers of the vendor's API from now on, by path and query. */
  readonly api: Readonly<Record<string, unknown>>;
  readonly delivery: () => VendorDelivery;
  /** 200 unless it is another one. */
  readonly answer?: number;
  /** Tier, standing, hold, end, and `canceled`, as far as there are such; empty without an entitlement. */
  readonly state: readonly unknown[];
}

/** Makes the stories of sales for an affiliate whom the checkout names like this; null for sales of nobody. */
export type SaleStories = (via: string | null) => readonly SaleStory[];

/** The payments for one entitlement after each delivery. */
export interface SaleStory {
  readonly title: string;
  readonly steps: readonly SaleStep[];
}

export interface SaleStep {
  readonly api: Readonly<Record<string, unknown>>;
  readonly delivery: () => VendorDelivery;
  /** The payments of the sale; null as long as there is none. */
  readonly paid: readonly Paid[] | null;
}

export interface Paid {
  readonly id: string;
  readonly paidAt: string;
  readonly amount: number;
  readonly kept: number;
}

/** Stands for the address of the vendor's API in its answers. */
export const apiAddress = 'https://api.vendor.example';

/** The key with which the handlers read the API of each vendor. */
export const apiKey = 'the key of the API';

export const secret = 'the secret of the webhook';
