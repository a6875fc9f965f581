import type { VendorName } from './record/vendor-names.ts';

/** The options of `entitlement import`. All but `dryRun` go with `from`. */
export interface MovingOptions {
  readonly from?: VendorName;
  readonly products?: string;
  readonly keysFile?: string;
  readonly asOf?: Date;
  readonly print?: true;
  readonly skipEnded?: true;
  readonly dryRun?: true;
}
