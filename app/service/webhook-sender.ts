import { AddressGuard } from '../../adapters/http/webhooks/address-guard.ts';
import { WebhookSender } from '../../adapters/http/webhooks/webhook-sender.ts';
import { release } from './release.ts';

/** Creates the sender of a process, which reaches public addresses and these networks, and signs by the clock of the machine. */
export function createSender(networks: readonly string[]): WebhookSender {
  return new WebhookSender(new AddressGuard(networks), `latchkey/${release}`, () => new Date());
}
