import { expect } from 'chai';
import { fakeStripe, judgeGate, startLatchkey } from '../../testing/index.ts';
import { thrownBy } from '../support/thrown.ts';

/** A function as JavaScript calls it. */
type Untyped = (...given: unknown[]) => unknown;

describe('the kit for tests', () => {
  it('refuses options that it does not know, in whichever function', async () => {
    await using stripe = await fakeStripe();
    await using latchkey = await startLatchkey();
    const { faults } = stripe;
    const functions: readonly (readonly [of: string, call: Untyped])[] = [
      ['startLatchkey', startLatchkey as Untyped],
      ['grant', latchkey.grant as Untyped],
      ['putTier', latchkey.putTier as Untyped],
      ['judgeGate', judgeGate as Untyped],
      ['fakeStripe', fakeStripe as Untyped],
      ['addEndpoint', stripe.addEndpoint as Untyped],
      ['faults.answer', (options) => faults.answer('*', 500, options as object)],
      ['faults.cut', (options) => faults.cut('*', options as object)],
      ['faults.hang', (options) => faults.hang('*', options as object)],
    ];
    const said = functions.map(async ([, call]) =>
      String(await thrownBy((async () => call({ colour: 'red', productId: 'p' }))())),
    );
    for (const [index, [of]] of functions.entries())
      expect(await said[index]).to.include(`TypeError: ${of} has no option colour: it takes `);
  });
});
