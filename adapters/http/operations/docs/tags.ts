/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export const marketplace: Tag = { name: 'Marketplace', description: 'Live listings, for anyone.' };
export const waitlist: Tag = { name: 'Waitlist', description: 'Sign-ups of people who want to hear more.' };
export const licenses: Tag = { name: 'Licenses', description: "Checks of buyers' license keys, for apps." };
export const entitlements: Tag = {
  name: 'Entitlements',
  description: "What buyers bought, for merchants' servers. These operations need an app key.",
};
export const events: Tag = {
  name: 'Events',
  description: "What happened to entitlements, for merchants' servers. The operation needs an app key.",
};
export const service: Tag = { name: 'Service', description: 'What the service says about itself.' };
