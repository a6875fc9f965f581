/** A product that a merchant sells. App keys and entitlements belong to one. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}
