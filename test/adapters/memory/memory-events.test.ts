import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryDueEntitlements } from '../../../adapters/memory/event/memory-due-entitlements.ts';
import { MemoryEvents } from '../../../adapters/memory/event/memory-events.ts';
import { MemoryAllEntitlements } from '../../../adapters/memory/memory-all-entitlements.ts';
import { dueEntitlementsContract, type EventPorts } from '../../contracts/event/due-entitlements.contract.ts';

describe('the memory store', () => {
  let ports: EventPorts;
  beforeEach(() => {
    const store = new MemoryStore();
    ports = {
      allEntitlements: new MemoryAllEntitlements(store),
      dueEntitlements: new MemoryDueEntitlements(store),
      events: new MemoryEvents(store),
    };
  });

  dueEntitlementsContract(() => ports);
});
