import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { interposing } from '../../../support/http/interposing.ts';
import { startService } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { thrownBy } from '../../../support/thrown.ts';
import { ConsoleClient, outcomeOf, typed } from '../../../support/web/console-client.ts';

const file = '/console/waitlist/waitlist.csv';

function addressAt(index: number): string {
  return `a${String(index).padStart(4, '0')}@example.com`;
}

describe('the download of a long waitlist', () => {
  const started: ConsoleClient[] = [];

  afterEach(async () => {
    for (const { service } of started.splice(0)) await service.stop();
  });

  /** A console over a waitlist that is read in parts of 200 entries; `around` runs the reading of each. */
  async function consoleReading(
    entries: number,
    around: (read: () => Promise<unknown>, part: number) => Promise<unknown>,
  ): Promise<ConsoleClient> {
    let part = 0;
    const rebind = interposing(tokens.waitlist, 'page', (read) => around(read, (part += 1)));
    const service = await startService(memory, { adminPort: 0, storeDeadline: 1000, rebind });
    const client = new ConsoleClient(service);
    started.push(client);
    await service.addOperatorKey(operatorKeys.full);
    const waitlist = service.container.get(tokens.waitlist);
    const name = 'n'.repeat(400); // so that a part is more than is sent at once
    for (const index of range(entries)) await waitlist.join(aSignUp({ email: addressAt(index), name }), aCall());
    await client.signIn();
    return client;
  }

  it('may take longer than a request waits for the store', async () => {
    const client = await consoleReading(900, async (read) => {
      await setTimeout(300);
      return read();
    });
    const { status, text } = await client.get(file);
    expect(status).to.equal(200);
    const addresses = text.split('\r\n').map((line) => line.split(',', 1)[0]);
    expect(addresses).to.deep.equal(['email', ...range(900).map(addressAt), '']);
  });

  it('ends the connection in the middle when the store fails, and says why in the log', async () => {
    const client = await consoleReading(900, async (read, part) => {
      if (part === 4) throw new SyntaxError('what the store said');
      return read();
    });
    const error = await thrownBy(client.get(file));
    expect(error).to.have.property('code', 'ECONNRESET');
    const faults = client.service.logged.filter(({ message }) => message === 'internal_error');
    expect(faults).to.have.length(1).and.have.nested.property('[0].err.name', 'SyntaxError');
  });

  it('is an error as any other when its first part cannot be read', async () => {
    const client = await consoleReading(1, async () => {
      throw new Refusal('store_unavailable', { cause: new Error('the store is down') });
    });
    expect(outcomeOf(await client.get(file))).to.deep.equal([500, 'store_unavailable']);
  });

  it('reads nothing for HEAD', async () => {
    let parts = 0;
    const client = await consoleReading(1, (read, part) => {
      parts = part;
      return read();
    });
    const head = await client.send('HEAD', file);
    expect([head.status, head.headers['content-type'], head.text]).to.deep.equal([200, 'text/csv; charset=utf-8', '']);
    expect(parts).to.equal(0);
  });

  it('reads no further when the browser has left', async () => {
    let parts = 0;
    const client = await consoleReading(4000, async (read, part) => {
      parts = part;
      if (part > 2) await setTimeout(200);
      return read();
    });
    const answer = await fetch(client.url + file, { headers: { ...typed, Cookie: client.cookie } });
    await answer.body?.cancel();
    let before = 0;
    await eventually(
      async () => {
        before = parts;
        await setTimeout(1000);
        return parts;
      },
      (now) => now === before,
    );
    expect(parts).to.be.lessThan(20);
  });
});
