import type { Tag } from '../../docs/tags.ts';

export const products: Tag = { name: 'Products', description: 'What the merchant sells.' };
export const appKeys: Tag = { name: 'App keys', description: "The credentials of products' servers." };
export const operatorKeys: Tag = {
  name: 'Operator keys',
  description: 'The credentials of those who administer, such as a billing system or a support desk.',
};
export const listings: Tag = { name: 'Listings', description: 'The catalog, in every state.' };
export const entitlements: Tag = { name: 'Entitlements', description: 'What buyers bought, of every product.' };
export const licenses: Tag = { name: 'Licenses', description: 'The license keys of entitlements.' };
export const events: Tag = { name: 'Events', description: 'What happened to entitlements.' };
export const waitlist: Tag = { name: 'Waitlist', description: 'The addresses of people who want to hear more.' };
export const webhooks: Tag = { name: 'Webhooks', description: 'The URLs that events are delivered to.' };
export const service: Tag = { name: 'Service', description: 'What the interface says about itself.' };
