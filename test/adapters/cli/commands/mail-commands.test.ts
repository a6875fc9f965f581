import { expect } from 'chai';
import { mailing } from '../../../../core/mail/mailing.ts';
import { keyOf, streamName, type PendingEvents } from '../../../../core/webhook/stream/delivery-stream.ts';
import { later, noon } from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { aStream } from '../../../support/webhooks/builders.ts';

const parked: PendingEvents = { positions: [1, 4], attempt: 10, at: null };
const waiting: PendingEvents = { positions: [2], attempt: 3, at: later(1000) };

/** A command line over a store with mails of two products: two are parked of ent_1, one of ent_3, and one is tried again. */
function withParkedMails(): TestCommandLine {
  const cli = new TestCommandLine();
  for (const [product, pending] of [
    ['prod_1', { ent_1: parked, ent_2: waiting }],
    ['prod_2', { ent_3: { ...parked, positions: [1] } }],
  ] as const) {
    const stream = aStream({ ...streamName(mailing.endpoint, product), pending: new Map(Object.entries(pending)) });
    cli.store.streams.set(keyOf(stream), stream);
  }
  return cli;
}

function pendingIn({ store }: TestCommandLine): readonly (readonly [string, PendingEvents])[] {
  return [...store.streams].flatMap(([key, { pending }]) => [
    ...pending,
    ...[...(store.aside.get(key) ?? [])].map(
      ([id, { positions, attempt, at }]) => [id, { positions, attempt, at }] as const,
    ),
  ]);
}

describe('latchkey mail', () => {
  it('skips all parked mails of all products, keeps the others, and logs their number', async () => {
    const cli = withParkedMails();
    expect(await cli.json('mail skip')).to.deep.equal({ mails: 3 });
    expect(pendingIn(cli)).to.deep.equal([['ent_2', waiting]]);
    expect((await cli.run(['mail', 'skip'])).stdout).to.equal('0 skipped.\n');
    expect(cli.changes).to.deep.equal([{ command: 'mail skip', mails: 3 }]);
  });

  it('skips the parked mails of one entitlement', async () => {
    const cli = withParkedMails();
    expect((await cli.run(['mail', 'skip', '--entitlement', 'ent_1'])).stdout).to.equal('2 skipped.\n');
    expect((await cli.run(['mail', 'skip', '--entitlement', 'ent_2'])).stdout).to.equal('0 skipped.\n');
    expect(pendingIn(cli).map(([id]) => id)).to.deep.equal(['ent_2', 'ent_3']);
    expect(cli.changes).to.deep.equal([{ command: 'mail skip', mails: 2, entitlementId: 'ent_1' }]);
  });

  it('makes all that has failed due, parked or not', async () => {
    const cli = withParkedMails();
    expect((await cli.run(['mail', 'retry'])).stdout).to.equal('4 due now.\n');
    expect(pendingIn(cli).map(([, { attempt, at }]) => attempt === 0 && at !== null && at >= noon)).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(cli.changes).to.deep.equal([{ command: 'mail retry', mails: 4 }]);
  });
});
