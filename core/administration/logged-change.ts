/** One change of the administrator or one test message, as it is logged: without keys, licenses and addresses. */
export type LoggedChange =
  | { readonly command: string; readonly productId: string }
  | { readonly command: string; readonly appKeyId: string }
  | { readonly command: string; readonly operatorKeyId: string }
  | { readonly command: string; readonly webhookId: string }
  | { readonly command: string; readonly slug: string }
  | { readonly command: string; readonly listings: number }
  | { readonly command: string; readonly entitlements: number }
  | { readonly command: string; readonly entries: number }
  | { readonly command: string; readonly records: number; readonly events: number }
  | {
      readonly command: string;
      readonly entitlementId: string;
      /** 0 for a grant. */
      readonly versionBefore: number;
      readonly version: number;
    };
