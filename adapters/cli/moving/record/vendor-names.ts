/** The names of vendors on the command line. */
export const vendorNames = ['gumroad', 'lemonsqueezy', 'polar', 'keygen', 'stripe', 'creem'] as const;

export type VendorName = (typeof vendorNames)[number];
