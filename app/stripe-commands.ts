import type { StripeCommands } from '../adapters/cli/shell/shell.ts';
import { createStripe } from '../adapters/stripe/client/create-stripe.ts';
import { backfill } from '../adapters/stripe/commands/backfill.ts';
import { checkStripe } from '../adapters/stripe/commands/check.ts';
import { reconcile } from '../adapters/stripe/commands/reconcile.ts';
import { sendNow } from '../adapters/stripe/outgoing/send-now.ts';
import { sendState } from '../adapters/stripe/outgoing/send-state.ts';
import type { Administration } from '../core/administration/administration.ts';
import type { Platform } from '../core/administration/use-cases/platform.ts';
import { billing } from '../core/billing/outgoing-stream.ts';
import type { Actor, Call } from '../core/call.ts';
import { readReceiverBacklog } from '../core/receiver/own-receiver.ts';
import type { StorePorts } from '../core/store/store.port.ts';
import { createLook, stripeSources, type StripeSettings } from './server/stripe-service.ts';

export interface StripeCommandParts {
  readonly ports: StorePorts;
  readonly administration: Administration;
  readonly platform: Pick<Platform, 'digest'>;
  /** Who grants in a backfill. */
  readonly by: Actor;
}

/** Makes the commands that ask Stripe. Their output is what a server would log. Throws `StripeNotInstalled`. */
export async function stripeCommands(
  { ports, administration, platform: { digest }, by }: StripeCommandParts,
  settings: StripeSettings,
): Promise<StripeCommands> {
  const { stripeApiKey, stripeApiBase, stripeWebhookSecret } = settings;
  const stripe = await createStripe({ apiKey: stripeApiKey ?? '', apiBase: stripeApiBase });
  const parts = { ...stripeSources(ports, settings), stripe, administration, report: () => undefined };
  const { findEntitlement: find } = administration;
  const thorough = { ...parts, findsEverySeller: true };
  const now = sendNow({ ...parts, ...ports, send: sendState({ ...parts, find }) });
  const send = async (id: string, call: Call): Promise<void> => {
    const entitlement = await find(id, call);
    if (entitlement !== null) await now(entitlement, call);
  };
  return {
    check: checkStripe({
      ...parts,
      readBacklog: readReceiverBacklog(billing, ports.deliveryStreams),
      hasSecret: stripeWebhookSecret !== null,
    }),
    reconcile: reconcile({ ...thorough, look: createLook(thorough), send }),
    backfill: backfill({ ...parts, look: createLook({ ...parts, by }), digest }),
  };
}
