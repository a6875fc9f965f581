import { billingTerms } from '../../../core/entitlement/entitlement.ts';
import { givenLimitRule, grantRules, type WrittenGrant } from '../../../core/entitlement/written-grant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { readJsonLine, type LineForm } from '../import/import-line.ts';
import { textIn } from '../input/encoding.ts';
import { objectOf } from '../input/json-lines.ts';
import { BadLine, CommandFailed, WrongArgument } from '../shell/errors.ts';
import type { InputFile, Shell } from '../shell/shell.ts';

/** The tier that a product of the vendor becomes. */
export type MappedTier = Pick<WrittenGrant, 'productId' | 'tierId' | 'tierName' | 'billingIntervalCount'> & {
  readonly billingInterval?: WrittenGrant['billingInterval'];
  /** Counts more than the limit of the vendor. */
  readonly deviceLimit?: number | 'unlimited';
};

/** By an id of the vendor; null for an id that is left out. */
export type ProductMap = ReadonlyMap<string, MappedTier | null>;

const tierForm: LineForm<MappedTier> = {
  rules: {
    productId: grantRules.productId,
    tierId: grantRules.tierId,
    tierName: grantRules.tierName,
    billingInterval: oneOf(billingTerms),
    billingIntervalCount: grantRules.billingIntervalCount,
    deviceLimit: givenLimitRule,
  },
  required: ['productId', 'tierId', 'tierName'],
};

/** In bytes: more than a map with ten thousand entries has. */
const maxLength = 4_194_304;

/** Reads the file that `--products` names. Throws `WrongArgument` with the first entry that is wrong. */
export async function readProductMap(path: string, { openFile }: Shell): Promise<ProductMap> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (await opened(path, openFile)).content) {
    length += chunk.length;
    if (length > maxLength) throw new WrongArgument('The file that --products names is too long for a map.');
    chunks.push(chunk);
  }
  const read = textIn(Buffer.concat(chunks));
  if ('problem' in read) throw new WrongArgument(`The file that --products names ${read.problem}.`);
  const members = membersOf(read.text);
  return new Map(Object.entries(members).map(([id, value]) => [id, tierOf(id, value)]));
}

async function opened(path: string, openFile: Shell['openFile']): Promise<InputFile> {
  try {
    return await openFile(path);
  } catch (cause) {
    if (!(cause instanceof WrongArgument)) throw cause;
    throw new WrongArgument('The file that --products names must exist and be readable.', { cause });
  }
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(text);
  } catch (cause) {
    throw new WrongArgument('The file that --products names must be a JSON object from ids to tiers.', { cause });
  }
}

function tierOf(id: string, value: unknown): MappedTier | null {
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongEntry(id, 'It must be a JSON object or null.');
  try {
    const tier = readJsonLine(JSON.stringify(value), tierForm);
    if (tier.billingInterval === 'one_time' && tier.billingIntervalCount !== undefined) {
      throw new BadLine('billingIntervalCount cannot be combined with billingInterval one_time.');
    }
    return tier;
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    throw wrongEntry(id, error.message, error);
  }
}

/** The error of an entry of the map. */
export function wrongEntry(id: string, problem: string, cause?: unknown): WrongArgument {
  return new WrongArgument(`The map of --products is wrong for ${JSON.stringify(id)}: ${problem}`, { cause });
}

/** The number of ids without a mapping that are listed. */
const maxListed = 1000;

/** Counts the ids that a map lacks. */
export class MissingIds {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(id: string): void {
    const count = this.#counts.get(id) ?? 0;
    if (count === 0 && this.#counts.size >= maxListed) this.#others += 1;
    else this.#counts.set(id, count + 1);
  }

  /** Throws `CommandFailed` with every id and its count, if there is one. */
  check(): void {
    if (this.#counts.size === 0) return;
    const lines = [...this.#counts].map(([id, count]) => `${JSON.stringify(id)}: ${counted(count, 'record')}`);
    if (this.#others > 0) lines.push(`other ids: ${counted(this.#others, 'record')}`);
    throw new CommandFailed(
      'ids_not_mapped',
      `Nothing was written, because the map of --products lacks these ids; add each, with null to leave it out:\n${lines.join('\n')}`,
    );
  }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
