import { isDeepStrictEqual } from 'node:util';
import {
  readCases,
  type Answer,
  type Cases,
  type GateCase,
  type Members,
  type Need,
  type ReceiptCase,
  type Step,
} from './cases.ts';
import { ScriptedService } from './scripted-service.ts';

/** A gate, in any language, that carries out a message and returns the result. */
export interface GateUnderTest {
  send(message: Members): Promise<Members>;
}

/** A gate that has ended, or that does not answer. */
export class GateLost extends Error {}

export interface Judgement {
  readonly passed: number;
  /** Each case that fails, and why. */
  readonly findings: readonly string[];
  /** Cases that need a feature that the gate lacks. */
  readonly leftOut: readonly string[];
}

export interface JudgeOptions {
  /** Only the cases whose names begin so. */
  readonly only?: string | undefined;
}

/** Milliseconds that a gate has for a request: enough for a slow machine, and few where it waits for what never comes. */
const timeouts = { answered: 30_000, partlyAnswered: 5000, unanswered: 1000 } as const;

/** Tries each case of `gates/cases.json` on a gate, until it is lost. */
export async function judge(gate: GateUnderTest, { only = '' }: JudgeOptions = {}): Promise<Judgement> {
  const cases = await readCases();
  const isWanted = ({ name }: Named): boolean => name.startsWith(only);
  const wanted: readonly Attempt[] = [
    ...cases.receipts
      .filter(isWanted)
      .map((each) => ({ ...each, faults: (): Promise<Faults> => receiptFaults(gate, each, cases) })),
    ...cases.gate
      .filter(isWanted)
      .map((each) => ({ ...each, faults: (): Promise<Faults> => gateFaults(gate, each, cases) })),
  ];
  let lacks: readonly string[] = [];
  const hello = async (): Promise<Faults> => {
    const said = (await gate.send({ call: 'hello' })) as { readonly lacks?: readonly string[] };
    lacks = said.lacks ?? [];
    return [];
  };
  const { faults: unmet } = await outcomeOf(hello);
  if (unmet.length > 0)
    return { passed: 0, findings: [foundIn('hello', { faults: unmet, isLost: true }, wanted.length)], leftOut: [] };
  const isPossible = ({ needs = [] }: Attempt): boolean => !needs.some((each) => lacks.includes(each));
  const leftOut = wanted.filter((each) => !isPossible(each)).map(({ name }) => name);
  const findings: string[] = [];
  let passed = 0;
  const possible = wanted.filter(isPossible);
  for (const [index, { name, faults }] of possible.entries()) {
    const outcome = await outcomeOf(faults);
    if (outcome.faults.length === 0) passed += 1;
    else findings.push(foundIn(name, outcome, possible.length - index - 1));
    if (outcome.isLost) break;
  }
  return { passed, findings, leftOut };
}

interface Named {
  readonly name: string;
}

type Faults = readonly string[];

/** A case, and what comes of trying it. */
interface Attempt extends Named {
  readonly needs?: readonly Need[];
  readonly faults: () => Promise<Faults>;
}

interface Outcome {
  readonly faults: Faults;
  /** Whether the gate can be asked nothing more. */
  readonly isLost: boolean;
}

/** A gate that throws is at fault, and one that has ended or does not answer. */
async function outcomeOf(attempt: () => Promise<Faults>): Promise<Outcome> {
  try {
    return { faults: await attempt(), isLost: false };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof GateLost
      ? { faults: [message], isLost: true }
      : { faults: [`throws ${message}`], isLost: false };
  }
}

function foundIn(name: string, { faults, isLost }: Outcome, left: number): string {
  const untried = `${left} further case${left === 1 ? ' was' : 's were'} not tried`;
  return `${name}: ${[...faults, ...(isLost && left > 0 ? [untried] : [])].join('; ')}`;
}

async function receiptFaults(gate: GateUnderTest, each: ReceiptCase, { keys, productId }: Cases): Promise<Faults> {
  const { name: _, result: expected, keys: kids, needs: __, acceptable: ___, ...options } = each;
  const trusted = kids === undefined ? keys : { keys: keys.keys.filter(({ kid }) => kids.includes(String(kid))) };
  const { result } = await gate.send({ call: 'verifyReceipt', keys: trusted, productId, ...options });
  return differences('result', result, expected);
}

async function gateFaults(gate: GateUnderTest, each: GateCase, cases: Cases): Promise<Faults> {
  // A service for each case: a gate may still hold connections to the last one.
  const service = await ScriptedService.start(cases.edition);
  try {
    return await faultsOfSteps(gate, each, cases, service);
  } finally {
    service.stop();
  }
}

async function faultsOfSteps(
  gate: GateUnderTest,
  { steps, stored: before, device, storage, trial, releasedAt }: GateCase,
  { keys, productId }: Cases,
  service: ScriptedService,
): Promise<Faults> {
  const timeout = timeoutOf(steps.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer)));
  const machine = { device: device ?? null, storage: storage ?? 'works', trial: trial ?? false, releasedAt };
  const open = { call: 'open', baseUrl: service.url, keys, productId, timeout, ...machine };
  const faults: string[] = [];
  let text = storedText(before);
  await gate.send({ ...open, stored: text });
  for (const [index, step] of steps.entries()) {
    if (step.restart) await gate.send({ ...open, stored: text });
    service.expect(step.exchanges);
    const { exchanges: _, result: expected, stored: __, restart: ___, ...call } = step;
    const { result, stored = null } = await gate.send(call);
    const own = [
      ...service.findings(),
      ...differences('result', result, expected),
      ...storageFaults(step, text, stored),
    ];
    faults.push(...own.map((fault) => `step ${index + 1} ${fault}`));
    text = stored as string | null;
  }
  return faults;
}

function timeoutOf(answers: readonly Answer[]): number {
  const endless = answers.filter(isEndless).length;
  if (endless === 0) return timeouts.answered;
  return endless === answers.length ? timeouts.unanswered : timeouts.partlyAnswered;
}

function isEndless(answer: Answer): boolean {
  return answer === 'silent' || answer === 'endless' || answer === 'endless-header';
}

function storedText(stored: GateCase['stored']): string | null {
  if (stored === null) return null;
  return 'text' in stored ? stored.text : JSON.stringify({ version: 1, ...stored });
}

function storageFaults({ stored: expected }: Step, before: string | null, after: unknown): readonly string[] {
  if (expected === 'unchanged') return after === before ? [] : [`stored ${shown(after)} in place of what was there`];
  if (expected === null) return differences('stored', after, null);
  return differences('stored', parsed(after), { version: 1, ...expected });
}

function differences(what: string, actual: unknown, expected: unknown): readonly string[] {
  return isDeepStrictEqual(actual, expected) ? [] : [`${what} ${shown(actual)} is not ${shown(expected)}`];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.replaceAll(/eyJ[\w-]{20,}\.[\w-]+\.([\w-]{8})[\w-]*/g, 'eyJ…$1').slice(0, 600);
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
