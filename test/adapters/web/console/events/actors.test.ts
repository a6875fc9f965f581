import { expect } from 'chai';
import { actorElement } from '../../../../../adapters/web/console/events/actors.ts';
import type { Actor } from '../../../../../core/call.ts';

const named: readonly (readonly [by: Actor, name: string])[] = [
  ['license', 'the app'],
  ['buyer', 'the buyer'],
  ['clock', 'the clock'],
  ['stripe', 'Stripe'],
  ['operator:opk_1', 'operator Ada opk_1'],
  ['app-key:key_shop', 'app key key_shop'],
  ['command:root', 'command root'],
];

describe('who has made a change', () => {
  for (const [by, name] of named) {
    it(`is ${name} for ${by}`, () => {
      const { text } = actorElement(by, new Map([['opk_1', 'Ada']]));
      expect(text.replaceAll(/<[^>]*>/g, '')).to.equal(name);
    });
  }
});
