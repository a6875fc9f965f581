import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tokens } from '../../app/tokens.ts';
import { aGate, startEdge } from '../support/edge-service.ts';
import { RawClient } from '../support/raw-client.ts';
import { http, verify } from './corpus.ts';
import { expectOurs } from './ours.ts';

const main = fileURLToPath(new URL('../../app/main.ts', import.meta.url));

describe('a service that stops', () => {
  it('says so on /readyz, closes each connection after its answer, and finishes what is in flight', async () => {
    const gate = aGate();
    const asked = aGate();
    const service = await startEdge({
      adminPort: 0,
      shutdownNotice: 300,
      rebind: (container) => {
        container.rebind(tokens.verifyLicense).toConstantValue(async () => {
          asked.open();
          await gate.opened;
          return { valid: false, entitlement: null };
        });
      },
    });
    const inFlight = new RawClient(service.url);
    inFlight.send(verify());
    await asked.opened;
    const stopped = service.stop();

    const late = new RawClient(service.url);
    late.send(http('GET /readyz'));
    const refused = await late.read('GET');
    expectOurs(refused, 'standard');
    expect([refused.status, refused.headers['connection']]).to.deep.equal([503, ['close']]);
    expect((await fetch(`${service.adminUrl}/readyz`)).status).to.equal(503);

    gate.open();
    const answer = await inFlight.read('POST');
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, ['close']]);
    await stopped;
    expect(await inFlight.closed()).to.equal(true);
    inFlight.close();
    late.close();
  });

  it('closes what is still open at the deadline', async () => {
    const service = await startEdge({
      rebind: (container) => {
        container.rebind(tokens.verifyLicense).toConstantValue(() => new Promise(() => {}));
      },
      storeDeadline: 2000,
    });
    const client = new RawClient(service.url);
    client.send(verify());
    await once(client.socket, 'connect');
    await service.stop();
    expect(await client.closed()).to.equal(true);
    client.close();
  });

  it('ends its process with 0 on SIGTERM', async () => {
    const options = ['serve', '--store', 'memory:', '--port', '0', '--log-format', 'json'];
    const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (line.includes('"serving"')) child.kill('SIGTERM');
      });
    }
    expect(await ended).to.deep.equal([0, null]);
  });
});
