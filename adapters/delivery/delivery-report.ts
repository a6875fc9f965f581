/** What a worker reports beside the deliveries themselves. Contains no secret, URL or content. */
export type DeliveryReport =
  | {
      readonly kind: 'parked';
      readonly endpointId: string;
      readonly productId: string;
      readonly entitlementId: string;
      readonly answer: string;
    }
  | { readonly kind: 'down'; readonly endpointId: string; readonly productId: string; readonly answer: string }
  | { readonly kind: 'disabled'; readonly endpointId: string; readonly reason: 'gone' | 'failing' }
  | { readonly kind: 'lost'; readonly endpointId: string; readonly productId: string; readonly position: number }
  | { readonly kind: 'fault'; readonly error: unknown };
