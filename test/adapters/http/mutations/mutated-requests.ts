import { SeededRandom } from '../../../support/random.ts';
import { accessCases } from '../conformance/access-cases.ts';
import { contentCases } from '../conformance/content-cases.ts';
import { framingCases } from '../conformance/framing-cases.ts';
import { publicCases } from '../conformance/public-cases.ts';
import { routingCases } from '../conformance/routing-cases.ts';
import { expensiveRequests } from '../redos/expensive-requests.ts';

type Mutation = (bytes: string, random: SeededRandom) => string;

const conformance = [...framingCases, ...routingCases, ...contentCases, ...accessCases, ...publicCases];
const seeds = conformance.map(({ bytes }) => bytes).filter((bytes) => bytes.length < 4000);
const fragments = ['\r\n', '\n', '\r', '\0', ' ', ':', '\x80', '\xff', '%', '{', '"', '0', ',', '\r\n\r\n', 'HTTP/1.1'];

const mutations: readonly Mutation[] = [
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

/** Every request of the tests of conformance, and the most expensive ones, as they are. */
export const corpus: readonly string[] = [
  ...conformance.map(({ bytes }) => bytes),
  ...expensiveRequests.map(([, bytes]) => bytes),
];

/** Returns a function that makes a request of the corpus with one to three random changes. A seed always gives the same ones. */
export function mutantsOf(seed: number): () => string {
  const random = new SeededRandom(seed);
  return () => {
    let bytes = random.pick(seeds);
    for (let round = random.below(3); round >= 0; round -= 1) bytes = random.pick(mutations)(bytes, random);
    return bytes;
  };
}

function splice(text: string, start: number, removed: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(start + removed);
}
