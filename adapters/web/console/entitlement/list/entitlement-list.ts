import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Page } from '../../../../../core/paging/page.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import type { FilledForm } from '../../display/form-fields.ts';

/** What the list shows. */
export interface EntitlementList {
  /** Null if the filter could not be read. */
  readonly page: Page<FullSnapshot> | null;
  readonly form: FilledForm;
  readonly products: readonly Product[];
  readonly mayGrant: boolean;
}
