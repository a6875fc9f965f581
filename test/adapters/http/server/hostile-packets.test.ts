import { expect } from 'chai';
import { RawClient } from '../../../support/http/raw-client.ts';
import { startServerProcess, type ServerProcess } from '../../../support/processes/server-process.ts';

/** In one packet of at most 16 KiB, the most that Node's parser reads of a header section. */
const filler = 15_000;

const packets: readonly (readonly [what: string, line: string])[] = [
  ['spaces', ' '.repeat(filler)],
  ['tabs', '\t'.repeat(filler)],
  ['spaces inside of a value', `a${' '.repeat(filler)}b`],
  ['carriage returns', 'a\r'.repeat(filler / 2)],
];

describe('a packet that is built to be expensive', () => {
  let server: ServerProcess;
  before(async () => {
    server = await startServerProcess('memory:');
  });
  after(() => server.kill());

  for (const [what, value] of packets) {
    it(`does not make the next request wait, with an Origin of ${filler} ${what}`, async () => {
      const attacker = new RawClient(server.url);
      attacker.send(`GET / HTTP/1.1\r\nOrigin:${value}\x01`);
      expect((await attacker.read('GET')).status).to.equal(400);
      attacker.close();
      const client = new RawClient(server.url);
      client.send('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
      expect((await client.read('GET')).status).to.equal(200);
      client.close();
    });
  }
});
