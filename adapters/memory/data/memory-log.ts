import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';

/** The events of a product that are kept. */
export interface MemoryLog {
  /** How many events before them were removed. */
  removed: number;
  /** The oldest first. */
  readonly stored: StoredEvent[];
}

interface StoredEvent {
  readonly event: EntitlementEvent;
  readonly storedAt: Date;
}
