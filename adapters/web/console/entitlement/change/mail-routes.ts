import type { Administration } from '../../../../../core/administration/administration.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { maxMailTime } from '../../../../../core/mail/mail-sender.port.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { emailAddressRule } from '../../../../../core/waitlist/sign-up.ts';
import { readForm, typedIn } from '../../form/form-reading.ts';
import type { ConsoleAnswer, ConsoleRequest, ConsoleRoute } from '../../frame/console-page.ts';
import { ownFormRoutes, type RefusedMembers } from '../../frame/form-routes.ts';
import { actionSteps, type ActionParts } from './action-steps.ts';
import { leadTo } from './change-routes.ts';

interface MailParts extends ActionParts {
  readonly administration: ActionParts['administration'] & Pick<Administration, 'mailLicense'>;
}

interface MailForm {
  /** Absent for the address that Stripe has. */
  readonly to?: string;
}

const whats = { 'mail-key': 'key', 'mail-link': 'link' } as const;

type MailAction = keyof typeof whats;

const refusals: RefusedMembers = {
  invalid_email: { member: 'to', problem: 'must be a valid e-mail address' },
  buyer_address_unknown: { member: 'to', problem: 'is needed: Stripe has no address of the buyer' },
};

/** The pages that mail the buyer the key, and a link. The answer of the mail server is waited for. */
export function mailRoutes(parts: MailParts, names: readonly MailAction[]): readonly ConsoleRoute[] {
  return names.flatMap((action) => routesOf(action, parts));
}

function routesOf(action: MailAction, parts: MailParts): readonly ConsoleRoute[] {
  const steps = actionSteps(action, parts);
  return ownFormRoutes<FullSnapshot, MailForm>({
    ...steps,
    extraTime: maxMailTime,
    read: (form, entitlement) => {
      const fields = steps.fields(entitlement);
      const isNeeded = fields.some(({ required = false }) => required);
      return readForm(fields, { to: emailAddressRule }, isNeeded ? ['to'] : [], form);
    },
    refusals: () => refusals,
    act: async ({ to = null }, entitlement, request) => {
      const mail = { entitlementId: entitlement.id, to, what: whats[action], licenseKey: null };
      try {
        await parts.administration.mailLicense(mail, request.call);
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.code !== 'mail_unavailable') throw cause;
        return notTaken(cause, await steps.page(request, entitlement, failed(request, cause)));
      }
      return leadTo(entitlement.id, action);
    },
  });
}

/** The form again, with the answer of the mail server. */
function failed({ form }: ConsoleRequest, { details }: Refusal) {
  return typedIn(form, new Map([['to', details.message ?? 'The mail was not sent.']]));
}

function notTaken({ code }: Refusal, page: Awaited<ReturnType<ReturnType<typeof actionSteps>['page']>>): ConsoleAnswer {
  return { kind: 'page', status: 500, error: code as 'mail_unavailable', ...page };
}
