import { isIdAtStripe } from '../billing/sold-by-stripe.ts';
import type { Call } from '../call.ts';
import { requireUnlimited } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import type { UseCases } from './use-cases.ts';

/**
 * What a caller that is limited to products may do with a use case. `products`: the ports keep it to its products.
 * `service`: nothing, because the service has it once. A function decides by the parameters.
 */
type Limit<UseCase> =
  'products' | 'service' | (UseCase extends (...parameters: infer All) => unknown ? MayUse<All> : never);

type MayUse<Parameters extends readonly unknown[]> = (
  products: ReadonlySet<string>,
  ...parameters: Parameters
) => boolean;

/** A row for each use case. What is refused by it, is refused with `limited_key`. */
export const limits: { readonly [Name in keyof UseCases]: Limit<UseCases[Name]> } = {
  addProduct: 'service',
  putProduct: (products, id) => products.has(id),
  changeProduct: 'products',
  findProduct: 'products',
  listProducts: 'products',
  everyProduct: 'products',

  putTier: 'products',
  saveTier: 'products',
  deleteTier: 'products',
  showTier: 'products',
  listTiers: 'products',
  everyTier: 'products',
  allTiers: 'products',

  mapPrice: 'service',
  unmapPrice: 'service',
  listPrices: 'service',
  everyPrice: 'service',
  listStripeCases: 'service',
  countStripeCases: 'service',
  showStripeSale: 'service',

  issueAppKey: 'products',
  listAppKeys: 'products',
  findAppKey: 'products',
  everyAppKey: 'products',
  revokeAppKey: 'products',
  rotateAppKey: 'products',

  issueOperatorKey: (_products, { products }) => products !== null,
  listOperatorKeys: 'products',
  findOperatorKey: 'products',
  everyOperatorKey: 'products',
  revokeOperatorKey: 'products',
  rotateOperatorKey: 'products',

  grantEntitlement: (_products, { id }) => mayHaveId(id),
  importEntitlements: (_products, drafts) => drafts.every(({ id }) => mayHaveId(id)),
  dryRunOfEntitlements: 'products',
  showEntitlement: 'products',
  putEntitlement: (_products, { id }) => mayHaveId(id),
  showHistory: 'products',
  listEntitlements: 'products',
  everyEntitlement: 'products',
  runEntitlementCommand: 'products',
  findEntitlement: 'products',
  alignEntitlement: 'products',
  runSeenCommand: 'products',
  changeSeen: 'products',
  showPurchase: 'products',
  rotateLicense: 'products',
  revokeLicense: 'products',
  moveLicense: 'products',
  findByLicenseKey: 'products',
  findPurchase: 'products',
  issueOfflineReceipt: 'products',
  createSupportLink: 'products',
  mailLicense: 'service', // to any address, in the seller's words, from the sender of all
  testMail: 'service',
  listDevices: 'products',
  findDevice: 'products',
  releaseDevice: 'products',
  clearDevices: 'products',

  importListings: 'products',
  dryRunOfListings: 'products',
  putListing: 'products',
  saveListing: (_products, _seen, { productId }) => productId !== null && productId !== undefined,
  listListings: 'products',
  everyListing: 'products',
  listCategories: 'products',
  countList: (_products, { kind }) => kind !== 'waitlist',
  findListing: 'products',
  deleteListing: 'products',
  pauseListing: 'products',
  publishListing: 'products',

  showOverview: 'products',
  findTroubledEndpoints: 'products',
  findEvents: 'products',

  listWaitlist: 'service',
  everySignUp: 'service',
  eraseFromWaitlist: 'service',

  acceptClock: 'service',
  checkClock: 'service',
  checkStore: 'service',
  backUpStore: 'service',
  pruneStore: 'service',
  pruneEvents: 'service',
  pruneOperatorSessions: 'service',
  pruneBuyerLinks: 'service',
  retryMails: 'service',
  skipMails: 'service',

  makeSigningKeys: 'service',
  listSigningKeys: 'service',
  exportSigningKeys: 'service',
  rotateSigningKeys: 'service',
  revokeSigningKey: 'service',

  addWebhook: (_products, { productId }) => productId !== null,
  listWebhooks: 'products',
  everyWebhook: 'products',
  showWebhook: 'products',
  listWebhookBacklogs: 'products',
  showWebhookBacklog: 'products',
  findLastAttempts: 'products',
  rotateWebhookSecret: 'products',
  testWebhook: 'products',
  enableWebhook: 'products',
  disableWebhook: 'products',
  retryWebhook: 'products',
  replayWebhook: 'products',
  skipWebhookEvents: 'products',
  deleteWebhook: 'products',
};

/** Nobody but Stripe's sales gives these: a cancellation is sent to Stripe, where it could be that of another's buyer. */
function mayHaveId(id: string | null): boolean {
  return id === null || !isIdAtStripe(id);
}

type AnyUseCase = (...parameters: readonly unknown[]) => unknown;
type AnyLimit = 'products' | 'service' | MayUse<readonly unknown[]>;

/** The use cases behind the rows of `limits`. */
export function limitUseCases(useCases: UseCases): UseCases {
  const limited = Object.entries(useCases as Readonly<Record<string, AnyUseCase>>).map(([name, run]) => {
    const limit = limits[name as keyof UseCases] as AnyLimit;
    return [name, limit === 'products' ? run : limitedBy(limit, run)] as const;
  });
  return Object.fromEntries(limited) as unknown as UseCases;
}

function limitedBy(limit: Exclude<AnyLimit, 'products'>, run: AnyUseCase): AnyUseCase {
  if (limit === 'service') return (...parameters) => run(...parameters.map(ofService));
  // `async`, so that a refusal is a rejection as any other.
  return async (...parameters) => {
    const { products } = parameters.at(-1) as Call;
    if (products !== null && !limit(products, ...parameters)) throw new Refusal('limited_key');
    return run(...parameters);
  };
}

/** A parameter of a use case of the service: refuses a limited call, and every one that a function of it begins. */
function ofService(parameter: unknown): unknown {
  if (isCall(parameter)) requireUnlimited(parameter);
  if (typeof parameter !== 'function') return parameter;
  const made = parameter as AnyUseCase;
  return (...given: readonly unknown[]) => ofService(made(...given));
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'deadline' in value && 'products' in value;
}
