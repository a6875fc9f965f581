import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { SeededRandom } from '../../../support/random.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { accessCases } from '../conformance/access-cases.ts';
import { contentCases } from '../conformance/content-cases.ts';
import { publicCases } from '../conformance/public-cases.ts';
import { routingCases } from '../conformance/routing-cases.ts';
import { framingCases } from '../conformance/framing-cases.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';

const seeds = [...framingCases, ...routingCases, ...contentCases, ...accessCases, ...publicCases]
  .map(({ bytes }) => bytes)
  .filter((bytes) => bytes.length < 4000);
const mutants = 20_000;
const atOnce = 50;
const fragments = ['\r\n', '\n', '\r', '\0', ' ', ':', '\x80', '\xff', '%', '{', '"', '0', ',', '\r\n\r\n', 'HTTP/1.1'];

describe('20,000 mutated requests', function () {
  this.timeout(120_000);
  const start = populatedServices();

  it('get an answer of ours or none at all, and leave nothing behind', async () => {
    const service = await start();
    const random = new SeededRandom(20_260_718);
    let early = 0;
    for (let sent = 0; sent < mutants; sent += atOnce) {
      const batch = Array.from({ length: atOnce }, () => mutate(random));
      await Promise.all(batch.map((bytes) => expectAnswersOnly(service.url, bytes)));
      expect(service.faults).to.deep.equal([]);
      service.logged.length = 0;
      if (sent + atOnce === mutants / 5) early = heapInUse();
    }
    const growth = heapInUse() / early - 1;
    expect(growth, 'growth of the heap over the last four fifths').to.be.below(0.05);
  });
});

/** Sends the bytes, ends, and expects that all that comes back was stamped by the service and that the connection ends. */
async function expectAnswersOnly(url: string, bytes: string): Promise<void> {
  const client = new RawClient(url);
  client.send(bytes);
  client.socket.end();
  const closed = await client.closed();
  const received = client.rest;
  client.socket.resetAndDestroy();
  expect(closed, `ends after ${JSON.stringify(bytes)}`).to.equal(true);
  const responses = received.match(/(?<=^|[\n}])HTTP\/1\.1 (?!100 )\d{3} /g) ?? [];
  const stamps = received.match(/\r\nAPI-Version: 2026-07-18\r\n/g) ?? [];
  expect(stamps.length, `stamps after ${JSON.stringify(bytes)}`).to.equal(responses.length);
  if (bytes.trim() !== '') expect(responses.length, `answers to ${JSON.stringify(bytes)}`).to.be.above(0);
}

function mutate(random: SeededRandom): string {
  let bytes = random.pick(seeds);
  for (let round = random.below(3); round >= 0; round -= 1) bytes = random.pick(mutations)(bytes, random);
  return bytes;
}

const mutations: readonly ((bytes: string, random: SeededRandom) => string)[] = [
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), 1, String.fromCharCode(random.below(256))),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), 0, random.pick(fragments)),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), random.below(12), ''),
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes + random.pick(seeds),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), 0, random.pick(seeds)),
  (bytes, random) => {
    const start = random.below(bytes.length + 1);
    return splice(bytes, start, 0, bytes.slice(start, start + random.below(60)).repeat(1 + random.below(4)));
  },
];

function splice(text: string, start: number, removed: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(start + removed);
}

/** Bytes in use after a collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
