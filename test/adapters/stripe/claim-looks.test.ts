import { expect } from 'chai';
import { lookForClaims } from '../../../adapters/stripe/claim/claim-looks.ts';
import { LookPace } from '../../../adapters/stripe/claim/look-pace.ts';
import type { Look } from '../../../adapters/stripe/look/look.ts';
import { aCall, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';

const notPaid: Look = { kind: 'nothing', reason: 'not_paid' };
const everyone = async (): Promise<void> => undefined;
const nobody = async (): Promise<void> => Promise.reject(new Error('not admitted'));

describe('the looks of claims', () => {
  const asked: string[] = [];
  let failing = false;
  const looks = (): ReturnType<typeof lookForClaims> => {
    asked.length = 0;
    failing = false;
    return lookForClaims(async (id) => {
      asked.push(id);
      await Promise.resolve();
      if (failing) throw new Error('Stripe is down');
      return notPaid;
    });
  };

  it('are one at a time for a session, and one for each of several', async () => {
    const look = looks();
    const sessions = range(20).map((index) => `cs_${index % 2}`);
    const answers = await Promise.all(sessions.map((id) => look(id, aCall(), everyone)));
    expect(answers).to.deep.equal(sessions.map(() => notPaid));
    expect(asked).to.deep.equal(['cs_0', 'cs_1']);
  });

  it('are kept for five seconds of the clock of the service, and not if that is set back', async () => {
    const look = looks();
    const at = (milliseconds: number): Promise<Look> => look('cs_1', aCall({ now: later(milliseconds) }), everyone);
    for (const milliseconds of [0, 1, 4999]) await at(milliseconds);
    expect(asked).to.have.length(1);
    for (const milliseconds of [5000, 9999]) await at(milliseconds);
    expect(asked).to.have.length(2);
    await at(4000);
    expect(asked).to.have.length(3);
  });

  it('do not keep a failure', async () => {
    const look = looks();
    failing = true;
    const both = await Promise.allSettled(range(2).map(() => look('cs_1', aCall(), everyone)));
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    failing = false;
    expect(await look('cs_1', aCall(), everyone)).to.equal(notPaid);
    expect(asked).to.have.length(2);
  });

  it('admit only who begins one, and let others try who waited for somebody that was not admitted', async () => {
    const look = looks();
    let admitted = 0;
    const counted = async (): Promise<void> => void (admitted += 1);
    const [refused, ...answered] = await Promise.allSettled([
      look('cs_1', aCall(), nobody),
      ...range(5).map(() => look('cs_1', aCall(), counted)),
    ]);
    expect(refused.status).to.equal('rejected');
    expect(answered.map(({ status }) => status)).to.deep.equal(range(5).map(() => 'fulfilled'));
    expect([admitted, asked.length]).to.deep.equal([1, 1]);
  });
});

describe('the pace of the looks of claims', () => {
  it('lets ten begin at once, and refuses what would wait for more than five seconds', async () => {
    const pace = new LookPace();
    const turns = range(70).map(() => pace.turn());
    expect(await Promise.all(turns.slice(0, 10))).to.deep.equal(range(10).map(() => null));
    for (const wait of await Promise.all(turns.slice(60))) expect(wait).to.be.within(1, 1000);
  });

  it('lets the next begin a second after the one ten before it', async () => {
    const pace = new LookPace();
    const began = performance.now();
    await Promise.all(range(21).map(() => pace.turn()));
    expect(performance.now() - began).to.be.above(1990);
  });
});
