import type { Site } from '../../../adapters/web/page/page.ts';

/** The marketplace of the shop of the tests. */
export const site: Site = {
  name: 'Shop',
  heading: 'Software worth recommending',
  tagline: 'Find products for your storefront.',
  logo: null,
  accent: '#000000',
  imageHosts: [],
  footerLinks: [],
  owner: null,
  privacy: null,
  help: null,
};
