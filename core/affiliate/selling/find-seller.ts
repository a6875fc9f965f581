import type { Call, NewCall } from '../../call.ts';
import { walk } from '../../paging/walk.ts';
import { addressOf } from '../../waitlist/sign-up.ts';
import type { Affiliates } from '../affiliates.port.ts';
import type { Promotion } from '../promotion.ts';
import type { Promotions } from '../promotions.port.ts';
import { attribute, foldedCode, namesIn, type Attribution, type Said } from '../sale/attribution.ts';

/** Why a checkout that names an affiliate is attributed to none. */
export type Unattributed =
  | 'unknown_affiliate'
  /** The affiliate has no promotion of the product. */
  | 'no_promotion'
  /** Nothing was agreed when the checkout began. */
  | 'no_terms';

/** The affiliate who has brought a buyer, or why no affiliate counts. Neither where the checkout names nobody. */
export interface FoundSeller {
  readonly seller: Attribution | null;
  readonly reason: Unattributed | null;
}

export interface SellerParts {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly promotions: Pick<Promotions, 'ofAffiliate' | 'ofCode' | 'page'>;
}

/** Finds the affiliate who has brought a buyer, by the facts of the checkout. */
export async function findSeller(parts: SellerParts, said: Said, call: Call): Promise<FoundSeller> {
  const { promotions } = parts;
  const code = said.code === null ? null : await promotions.ofCode(said.productId, foldedCode(said.code), call);
  const handles = [...new Set(namesIn(said).map(({ handle }) => handle))];
  const named = (await Promise.all(handles.map((handle) => promotions.ofAffiliate(handle, call)))).flat();
  const known = [...(code === null ? [] : [code]), ...named];
  const seller = attribute(said, known);
  return { seller, reason: seller === null ? await reasonOf(parts, said, known, call) : null };
}

async function reasonOf(
  { affiliates }: SellerParts,
  said: Said,
  known: readonly Promotion[],
  call: Call,
): Promise<Unattributed | null> {
  if (known.some(({ productId }) => productId === said.productId)) return 'no_terms';
  const [name] = namesIn(said);
  if (name !== undefined)
    return (await affiliates.find(name.handle, call)) === null ? 'unknown_affiliate' : 'no_promotion';
  return said.metadata === null ? null : 'unknown_affiliate';
}

/** Reports whether an address is that of an affiliate, in any spelling. */
export async function isOwnAddress(
  affiliates: Pick<Affiliates, 'find'>,
  handle: string,
  email: string | null,
  call: Call,
): Promise<boolean> {
  const own = email === null ? null : ((await affiliates.find(handle, call))?.email ?? null);
  return email !== null && own !== null && addressOf(own) === addressOf(email);
}

/** Reports whether any promotion has a code: of one product, or of all. */
export async function hasCodes(
  promotions: Pick<Promotions, 'page'>,
  productId: string | null,
  newCall: NewCall,
): Promise<boolean> {
  const filter = { handle: null, slug: null, productId, state: null };
  const all = walk<Promotion>((after, limit, call) => promotions.page({ ...filter, after, limit }, call), newCall);
  for await (const { codes } of all) if (codes.length > 0) return true;
  return false;
}

/** Reports whether a product was ever promoted. */
export async function isPromoted(
  promotions: Pick<Promotions, 'page'>,
  productId: string,
  call: Call,
): Promise<boolean> {
  const part = { handle: null, slug: null, productId, state: null, after: null, limit: 1 };
  return (await promotions.page(part, call)).length > 0;
}
