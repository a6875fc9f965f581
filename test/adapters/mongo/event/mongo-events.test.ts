import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { MongoDueEntitlements } from '../../../../adapters/mongo/entitlement/mongo-due-entitlements.ts';
import { MongoAllEntitlements } from '../../../../adapters/mongo/entitlement/mongo-all-entitlements.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { MongoEvents } from '../../../../adapters/mongo/event/mongo-events.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { dueEntitlementsContract, type EventPorts } from '../../../contracts/event/due-entitlements.contract.ts';
import { aCall } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';

describe('the store on MongoDB', () => {
  let database: MongoDatabase;
  let ports: EventPorts;

  beforeEach(async () => {
    database = await openMongoDatabase(await ownDatabaseUrl(), { create: true }, aCall());
    const [events, relay] = [new MongoEvents(database), new EventRelay(database)];
    ports = {
      allEntitlements: new MongoAllEntitlements(database),
      dueEntitlements: new MongoDueEntitlements(database),
      events: {
        async page(...part) {
          await relay.settle();
          return events.page(...part);
        },
      },
    };
  });
  afterEach(() => database.close());

  dueEntitlementsContract(() => ports);
});
