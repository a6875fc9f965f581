/** An event. `data.object` is the object as it was when the event happened. */
export interface ShopEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>;
    readonly previous_attributes?: Readonly<Record<string, unknown>>;
  };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
}

/** A delivery that was tried. */
export interface Delivery {
  readonly event: ShopEvent;
  readonly url: string;
  /** The status of the answer, or null if none came. */
  readonly status: number | null;
}
