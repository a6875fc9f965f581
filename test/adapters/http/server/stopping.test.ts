import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import type { Listings } from '../../../../core/catalog/listings.port.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { expectAnswer } from '../../../support/http/expect-answer.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { http, verify } from '../../../support/http/requests.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import type { ServiceOptions } from '../../../support/http/test-service.ts';
import { aLatch } from '../../../support/latch.ts';
import { startNode } from '../../../support/processes/node-process.ts';

const main = fileURLToPath(new URL('../../../../app/main.js', import.meta.url));

describe('a service that stops', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('says so on /readyz, closes each connection after its answer, and finishes what is in flight', async () => {
    const gate = aLatch();
    const asked = aLatch();
    const service = await startPopulated({
      adminPort: 0,
      shutdownNotice: 300,
      rebind: (container) => {
        container.rebind(tokens.verifyLicense).toConstantValue(async () => {
          asked.release();
          await gate.released;
          return { valid: false, entitlement: null };
        });
      },
    });
    const inFlight = new RawClient(service.url);
    inFlight.send(verify());
    await asked.released;
    const stopped = service.stop();

    const late = new RawClient(service.url);
    late.send(http('GET /readyz'));
    const refused = await late.read('GET');
    expectAnswer(refused, 'standard');
    expect([refused.status, refused.headers['connection']]).to.deep.equal([503, ['close']]);
    expect((await fetch(`${service.adminUrl}/readyz`)).status).to.equal(503);

    gate.release();
    const answer = await inFlight.read('POST');
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, ['close']]);
    await stopped;
    expect(await inFlight.closed()).to.equal(true);
    inFlight.close();
    late.close();
  });

  it('closes what is still open at the deadline', async () => {
    const asked = aLatch();
    const service = await startPopulated({ rebind: neverVerifying(asked.release), storeDeadline: 600_000 });
    const client = new RawClient(service.url);
    client.send(verify());
    await asked.released;
    await service.stop();
    expect(await client.closed()).to.equal(true);
    client.close();
  });

  it('waits no longer for what a connection asked for before it asked for a tunnel', async () => {
    const service = await startPopulated({ rebind: neverVerifying(), storeDeadline: 60_000 });
    const client = new RawClient(service.url);
    client.send(`${verify()}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
    await waitUntil(() => service.logged.some(({ status }) => status === 405));
    await service.stop();
    client.close();
  });

  it('waits no longer for a store that does not say what changed in the catalog', async () => {
    let asked = 0;
    const service = await startPopulated({
      rebind: (container) => {
        const listings = container.get(tokens.listings);
        const changesSince: Listings['changesSince'] = async (...parameters) => {
          asked += 1;
          return asked === 1 ? listings.changesSince(...parameters) : new Promise(() => {});
        };
        container.rebind(tokens.listings).toConstantValue({
          load: (call) => listings.load(call),
          put: (all, call) => listings.put(all, call),
          replace: (seen, next, call) => listings.replace(seen, next, call),
          findExisting: (keys, call) => listings.findExisting(keys, call),
          setState: (slug, state, call) => listings.setState(slug, state, call),
          setStorefronts: (slug, count, call) => listings.setStorefronts(slug, count, call),
          changesSince,
        });
      },
    });
    await waitUntil(() => asked > 1);
    await service.stop();
  });

  it('ends its process with 0 on SIGTERM', async () => {
    const { child, ended, logs } = startProcess(children);
    await logs('serving');
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
  });

  it('takes a signal that follows at once for the same one, and ends its process at a later one', async () => {
    const { child, ended, logs } = startProcess(children, '--shutdown-notice', '1h');
    const { address } = await logs('serving');
    child.kill('SIGTERM');
    await logs('stopping');
    child.kill('SIGINT');
    const response = await fetch(`${String(address)}/readyz`);
    expect([response.status, child.exitCode]).to.deep.equal([503, null]);
    const again = setInterval(() => child.kill('SIGTERM'), 50);
    expect(await ended).to.deep.equal([1, null]);
    clearInterval(again);
  });
});

/** Binds a license check that reports that it has begun, and never ends. */
function neverVerifying(onBegin = (): void => {}): NonNullable<ServiceOptions['rebind']> {
  return (container) => {
    container.rebind(tokens.verifyLicense).toConstantValue(() => {
      onBegin();
      return new Promise(() => {});
    });
  };
}

interface ServingProcess {
  readonly child: ChildProcess;
  /** Its exit code and the signal that ended it. */
  readonly ended: Promise<unknown>;
  /** Waits until it logs this message; returns the line. */
  readonly logs: (message: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Serves in a process of its own, which joins the others. */
function startProcess(others: ChildProcess[], ...more: readonly string[]): ServingProcess {
  const options = ['serve', '--store', 'memory:', '--port', '0', '--log-format', 'json', ...more];
  const child = startNode([main, ...options]);
  others.push(child);
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  return {
    child,
    ended: once(child, 'exit'),
    logs: async (message) => {
      for (;;) {
        const { done, value } = await lines.next();
        if (done === true) throw new Error(`the process ended before it logged ${message}`);
        const line: Record<string, unknown> = JSON.parse(value);
        if (line['message'] === message) return line;
      }
    },
  };
}
