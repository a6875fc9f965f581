import type { AlignmentTarget } from '../../../core/entitlement/alignment.ts';
import type { EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Grant } from '../../../core/entitlement/grant.ts';
import type { LookRefusal, NothingReason } from '../look/look.ts';

/** What the states of both sides come to. */
export type Decision =
  /** The entitlement is unknown, and stays so. */
  | { readonly kind: 'nothing'; readonly reason: NothingReason }
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'align'; readonly target: AlignmentTarget }
  | { readonly kind: 'command'; readonly command: EntitlementCommand }
  /** Nothing is to be written. */
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly reason: LookRefusal };
