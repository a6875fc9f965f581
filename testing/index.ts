// The interface of `latchkey/testing`. It loads the whole service when it is imported, which takes about a second: test
// runners put a limit on hooks, not on imports.
import './check-node.ts';
import type { Latchkey, StartOptions } from './latchkey.ts';
import { start } from './start.ts';

export { judgeGate, type JudgeGateOptions } from './gates/judge-gate.ts';
export type { Judgement } from './gates/judge.ts';
export type { Granted, GrantOptions, Latchkey, StartOptions, TestClock, TierOptions } from './latchkey.ts';
export { fakeStripe } from './stripe/start-fake-stripe.ts';
export type {
  ApiVersion,
  Delivery,
  DisputeOptions,
  EndpointOptions,
  FakeStripe,
  FakeStripeOptions,
  FaultOptions,
  Faults,
  HeldAnswer,
  PaymentOptions,
  Permissions,
  PriceOptions,
  PromotionCodeOptions,
  PurchaseOptions,
  RequestPattern,
  SeenRequest,
  ShopEvent,
  StatusOptions,
  SubscribeOptions,
  Subscribed,
  Verdict,
} from './stripe/fake-stripe.ts';
export type { Instant } from './time/instant.ts';

/**
 * Starts a service on a free port of this machine, in this process, over an empty store in memory. It does not keep the
 * process running.
 */
export function startLatchkey(options: StartOptions = {}): Promise<Latchkey> {
  return start(options);
}
