import * as fc from 'fast-check';
import { range } from '../range.ts';
import { shopVerbs, type ShopVerb } from '../stripe/shop-verbs.ts';

/** The options of each checkout, and the affiliate and source of the sale while each affiliate has terms. */
export const checkouts = {
  code: [{ promotionCode: 'ADA20', reference: 'via_bob' }, 'ada code'],
  metadata: [{ metadata: { latchkey_via: 'bob_sketchpad' }, reference: 'via_ada' }, 'bob metadata'],
  link: [{ promotionCode: 'SPRING', reference: 'via_ada_sketchpad' }, 'ada link'],
  own: [{ reference: 'via_ada', email: 'ADA@example.com' }, 'ada link'],
  nobody: [{ reference: 'order-1' }, null],
} as const;

/** The fate of the events of a step: the number of looks, some by a process that dies after a number of calls. */
const fates = ['lost', 'lost', 'once', 'twice', 'two processes', 'late', 'killed', 'killed'] as const;

/**
 * The ways to close a month: beside a look that reads a recent change, or by a process that dies after a number of
 * calls.
 */
const closings = ['once', 'by two processes', 'beside a look', 'killed'] as const;

const buying = fc.constantFrom(
  ...(Object.keys(checkouts) as readonly (keyof typeof checkouts)[]).flatMap((said) =>
    (['subscribe', 'purchase'] as const).map((kind) => ({ kind, said })),
  ),
);

const ofMoney = fc.constantFrom<ShopVerb>('renew', 'refund a part', 'refund', 'dispute', 'won');

const closing = fc.record({
  kind: fc.constant('close' as const),
  how: fc.constantFrom(...closings),
  /** Whether everything is looked at before. */
  isLookedAt: fc.boolean(),
  months: fc.constantFrom(1, 2),
  verb: ofMoney,
});

export const step = fc.record({
  what: fc.oneof(
    { weight: 2, arbitrary: buying },
    { weight: 2, arbitrary: closing },
    {
      weight: 2,
      arbitrary: fc.oneof(ofMoney, fc.constantFrom(...shopVerbs)).map((verb) => ({ kind: 'at Stripe', verb }) as const),
    },
    fc.constantFrom('void', 'restore').map((kind) => ({ kind })),
    fc.integer({ min: 0, max: 40 }).map((percent) => ({ kind: 'terms', percent }) as const),
    fc.constant({ kind: 'end' } as const),
  ),
  /** Which of the sales it is about. */
  which: fc.nat(7),
  seconds: fc.constantFrom(0, 1, 3600, 86_400),
  fate: fc.constantFrom(...fates),
  calls: fc.constantFrom(...range(24)),
});

export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
export type Closing = typeof closing extends fc.Arbitrary<infer Value> ? Value : never;

const bought: Step = {
  what: { kind: 'purchase', said: 'code' },
  which: 0,
  seconds: 1,
  fate: 'once',
  calls: 0,
};
const closed = (what: Partial<Closing>): Step => ({
  ...bought,
  what: { kind: 'close', how: 'once', isLookedAt: true, months: 2, verb: 'refund', ...what },
});

/**
 * Examples that few random histories contain: a look that would undo a statement, and a refund that no look saw during
 * the hold.
 */
export const examples: [Step[]][] = [
  [[bought, closed({ how: 'beside a look' })]],
  [[bought, closed({ isLookedAt: false }), bought]],
];
