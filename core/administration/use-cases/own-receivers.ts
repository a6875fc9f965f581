import { billing } from '../../billing/outgoing-stream.ts';
import { mailing } from '../../mail/mailing.ts';
import type { OwnReceiver } from '../../receiver/own-receiver.ts';

/** Every receiver of events that is part of the service. */
export const ownReceivers: readonly OwnReceiver[] = [billing, mailing];
