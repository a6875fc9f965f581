import type { Vendor } from '../record/sold.ts';
import type { VendorName } from '../record/vendor-names.ts';
import { creem } from './creem.ts';
import { gumroad } from './gumroad.ts';
import { keygen } from './keygen.ts';
import { lemonSqueezy } from './lemon-squeezy.ts';
import { polar } from './polar.ts';
import { stripe } from './stripe.ts';

/** Every vendor whose exports can be read, by its name on the command line. */
export const vendors: Readonly<Record<VendorName, Vendor>> = {
  gumroad,
  lemonsqueezy: lemonSqueezy,
  polar,
  keygen,
  stripe,
  creem,
};
