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

/** A gate, in whichever language, that does what a message says and returns what came of it. */
export interface GateUnderTest {
  send(message: Members): Promise<Members>;
}

/** A gate that has ended, or that does not answer. */
export class GateLost extends Error {}

export interface Judgement {
  readonly passed: number;
  /** Each case that fails, and why. */
  readonly findings: readonly string[];
  /** Cases that need what the gate says it lacks. */
  readonly leftOut: readonly string[];
}

export interface JudgeOptions {
  /** Only the cases whose names begin so. */
  readonly only?: string | undefined;
}

/** Milliseconds that a gate has for a request: enough for a slow machine, and few where it waits for what never comes. */
const timeouts = { answered: 30_000, partlyAnswered: 5000, unanswered: 1000 } as const;

/** Tries each case of `gates/cases.json` on a gate. */
export async function judge(gate: GateUnderTest, { only = '' }: JudgeOptions = {}): Promise<Judgement> {
  const cases = await readCases();
  const findings: string[] = [];
  let passed = 0;
  const note = (name: string, faults: readonly string[]): void => {
    if (faults.length === 0) passed += 1;
    else findings.push(`${name}: ${faults.join('; ')}`);
  };
  const { lacks = [] } = (await gate.send({ call: 'hello' })) as { readonly lacks?: readonly string[] };
  const isWanted = ({ name }: { readonly name: string }): boolean => name.startsWith(only);
  const isPossible = ({ needs = [] }: { readonly needs?: readonly Need[] }): boolean =>
    !needs.some((each) => lacks.includes(each));
  const wanted = { receipts: cases.receipts.filter(isWanted), gate: cases.gate.filter(isWanted) };
  for (const each of wanted.receipts.filter(isPossible))
    note(each.name, await faultsOf(() => receiptFaults(gate, each, cases)));
  for (const each of wanted.gate.filter(isPossible))
    note(each.name, await faultsOf(() => gateFaults(gate, each, cases)));
  const leftOut = [...wanted.receipts, ...wanted.gate].filter((each) => !isPossible(each));
  return { passed, findings, leftOut: leftOut.map(({ name }) => name) };
}

/** A gate that throws is at fault. One that has ended or does not answer ends the judgement. */
async function faultsOf(attempt: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof GateLost) throw error;
    return [`throws ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function receiptFaults(
  gate: GateUnderTest,
  each: ReceiptCase,
  { keys, productId }: Cases,
): Promise<readonly string[]> {
  const { name: _, result: expected, keys: kids, needs: __, acceptable: ___, ...options } = each;
  const trusted = kids === undefined ? keys : { keys: keys.keys.filter(({ kid }) => kids.includes(String(kid))) };
  const { result } = await gate.send({ call: 'verifyReceipt', keys: trusted, productId, ...options });
  return differences('result', result, expected);
}

async function gateFaults(gate: GateUnderTest, each: GateCase, cases: Cases): Promise<readonly string[]> {
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
  { steps, stored: before, device, storage, trial }: GateCase,
  { keys, productId }: Cases,
  service: ScriptedService,
): Promise<readonly string[]> {
  const timeout = timeoutOf(steps.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer)));
  const machine = { device: device ?? null, storage: storage ?? 'works', trial: trial ?? false };
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
