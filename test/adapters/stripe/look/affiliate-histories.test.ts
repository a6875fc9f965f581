import * as fc from 'fast-check';
import { examples, step } from '../../../support/affiliates/history-steps.ts';
import { AffiliatesWorld } from '../../../support/affiliates/history-world.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { stores } from '../../../support/stores/stores.ts';

const samples: Readonly<Record<string, readonly [short: number, long: number]>> = {
  memory: [30, 600],
  sqlite: [10, 200],
  mongo: [8, 60],
};

for (const { name, open } of stores) {
  describe(`random histories of the sales of affiliates, on the ${name} store`, () => {
    it('end with what Stripe says now, the terms of the checkout, and statements of all that is kept', async function () {
      this.timeout(0);
      const [short, long] = samples[name] ?? [4, 60];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (history) => {
          const ports = await open();
          const world = await AffiliatesWorld.open(ports);
          try {
            for (const each of history) await world.live(each);
            await world.compare();
            await world.compareStatements();
          } finally {
            await world.at.shop.stop();
            await ports.close();
          }
        }),
        { numRuns: rounds(short, long), examples },
      );
    });
  });
}
