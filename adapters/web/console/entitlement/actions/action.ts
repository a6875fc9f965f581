import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import type { Rules, ValuesOf } from '../../../../../core/parsing/read-members.ts';
import type { SeenCommand } from '../../../../../core/purchase/change-seen.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { Html } from '../../../markup/html.ts';
import type { Field, FormState } from '../../form/fields.ts';
import { readForm, type FormReading } from '../../form/form-reading.ts';

/** An action on an entitlement: everything that its pages, and the page of the entitlement, say of it. */
export interface Action {
  readonly title: string;
  /** Names its pages in logs and metrics. */
  readonly page: string;
  /** The operation of the history; absent for an action that changes nothing. */
  readonly operation?: HistoryOperation;
  /** The text on the page of the entitlement after it; absent for an action whose answer is a page of its own. */
  readonly done?: string;
  /** The text below its link; absent for an action on the license, which is a button. */
  readonly effect?: (entitlement: FullSnapshot, now: Date) => string;
  /** The same of a subscription that Stripe sells, for what changes its charges; absent for every other action. */
  readonly atStripe?: string;
  /**
   * The texts about the change at Stripe, which decides it for the subscriptions that it sells; absent for an action
   * that Stripe never decides.
   */
  readonly managed?: ManagedTexts;
}

/** An action whose page asks for yes or no, perhaps with fields. `stripeUrl` is its sale at Stripe, if it is charged there. */
export interface AskedAction extends Action {
  readonly texts: (purchase: Purchase, now: Date, stripeUrl: string | null) => AskTexts;
  /** Absent for one that asks for no more than a yes. */
  readonly form?: ActionForm;
}

/** The texts of the page that asks. */
export interface AskTexts {
  readonly question: string;
  /** A verb and a noun. */
  readonly button: string;
  /** The link back, which changes nothing; "Leave it as it is" if absent. */
  readonly back?: string;
  /** Whether it cannot be undone; false if absent. */
  readonly isFinal?: boolean;
  /** "This cannot be undone." if absent. */
  readonly finality?: string;
  /** Who is affected, and how. */
  readonly consequences: readonly Html[];
  /** A milder way, or the limits of the change. */
  readonly advice?: Html;
}

export interface ManagedTexts {
  readonly heading: string;
  readonly says: string;
  /** The steps at Stripe instead. */
  readonly steps: readonly Html[];
}

/** The fields that an action asks for. */
export interface ActionForm {
  readonly fields: (entitlement: FullSnapshot) => readonly Field[];
  /** The values that stand in the fields at first. */
  readonly first?: (purchase: Purchase) => FormState;
  /** Reads the command; absent for what is made for the buyer, and is no change. */
  readonly read?: (form: URLSearchParams, entitlement: FullSnapshot) => FormReading<SeenCommand>;
}

/** A form whose members, read by their rules, give a command. */
export function commandForm<Own extends Rules, Required extends keyof Own & string>(
  fields: ActionForm['fields'],
  rules: Own,
  required: readonly Required[],
  commandOf: (values: ValuesOf<Own, Required>) => SeenCommand,
  first?: ActionForm['first'],
): ActionForm {
  return {
    fields,
    ...(first !== undefined && { first }),
    read: (form, entitlement) => {
      const reading = readForm(fields(entitlement), rules, required, form);
      return reading.kind === 'wrong' ? reading : { kind: 'read', values: commandOf(reading.values) };
    },
  };
}
