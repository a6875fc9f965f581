import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import { recordExpressions, type Expression } from './recorded-expressions.ts';

const root = join(import.meta.dirname, '../../../..');
/** A cost below this on a current machine is compared with nothing, because there are a hundred thousand texts. */
const fewMilliseconds = 5;
/** Up to 16 KiB, rising, so that an exponential expression is found at a length at which it still ends. */
const lengths = [16, 24, 32, 512, 4096, 16_384];
const quarter = 4096;
/**
 * Milliseconds in which a quarter of the longest text shows that all of it takes fewer than `fewMilliseconds`, if the
 * cost grows with the fourth power or less. A cost that grows faster does not end within that for a text as long.
 */
const aMoment = fewMilliseconds / 4 ** 4;
/** Linear passes over 130 kB that an expression may take for 16 KiB. */
const limit = 2;

/** Texts that are repeated, because a quantifier may match them in more than one way. */
const pumps = [
  ...' \t\r\n\0a0Az-._~:;,/\\"=@%\x80\xff\u00a0'.split(''),
  'a-',
  'a.',
  ', ',
  '""',
  '\\"',
  'W/',
  '0.',
  'GET ',
];

/** Literals in these adapters that never run on what a client sent, or not on a server as it is recorded. */
const withoutClients = [
  String.raw`/"$/`, // an ETag of the service
  String.raw`/\{(\w+)\}/`, // a text of the pages
  String.raw`/[^\w.-]/g`, // the id of a product
  // The text for mails that the seller wrote, of at most 2,000 characters.
  String.raw`/\n\s*\n/`,
  '/^mailto:/',
  String.raw`/[\p{Cc}\p{Cs}\u2028\u2029]+/gu`,
  // The OpenAPI documents, at start: a reference in one, and the names of their components.
  String.raw`/^(.*)(Answer|Page)$/`,
  String.raw`/\s+/`,
  String.raw`/^#\/components\/(\w+)\/(.+)$/`,
  '/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g',
  // The id of a mail, on a server that mails lost keys, as the recorded one does not. It stands for one length.
  '/^[0-9a-f]{16}$/',
];

describe('a regular expression that runs while a request is answered', () => {
  let expressions: readonly Expression[] = [];
  before(async () => {
    expressions = await recordExpressions();
    warmLinearPass();
  });

  it('is known, if it is in the HTTP adapter or in that of the pages', () => {
    const recorded = new Set(expressions.map(({ source, flags }) => `/${source}/${flags}`));
    const literals = globSync('adapters/{http,web}/**/*.ts', { cwd: root }).flatMap((file) =>
      literalsIn(readFileSync(join(root, file), 'utf8')).map((literal) => ({ file, literal })),
    );
    expect(literals.length).to.be.above(10);
    const unknown = literals.filter(({ literal }) => !recorded.has(literal) && !withoutClients.includes(literal));
    expect(unknown).to.deep.equal([]);
  });

  it(`takes less than ${limit} linear passes for any 16 KiB`, () => {
    const slow = expressions.flatMap((expression) => {
      const text = slowTextOf(expression);
      return text === null ? [] : [`/${expression.source}/${expression.flags}: ${JSON.stringify(text.slice(0, 60))}`];
    });
    expect(slow).to.deep.equal([]);
  });

  it('would be found if it were slow', () => {
    for (const [source, flags, sample] of [
      ['(?<=\\n)origin:[ \\t]*(.*?)[ \\t]*\\r\\n', 'gi', '\norigin: a\r\n'],
      ['^bearer(?: +(.*))?$', 'i', 'Bearer a'],
      ['^(?:a|aa)+$', '', 'aaa'],
      // Only the longest text takes it long.
      ['G[GET ]*$', '', 'GET '],
    ] as const) {
      expect(slowTextOf({ source, flags, sample }), source).to.be.a('string');
    }
  });
});

/** Literals behind an operator, a bracket or `return`, without those in comments. */
function literalsIn(source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const form =
    /(?:[=(,:&|?]|\breturn)\s*(\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*)(?=[.,;)\s])/g;
  return [...code.matchAll(form)].map(([, literal = '']) => literal);
}

/** Returns the first text that takes an expression longer than the limit, or null. */
function slowTextOf(expression: Expression): string | null {
  const regex = new RegExp(expression.source, expression.flags);
  const sample = expression.sample.slice(0, 20);
  for (const pump of pumps) {
    for (let cut = 0; cut <= sample.length; cut += 1) {
      for (const end of ['', '\x01', '\n', sample.slice(cut)]) {
        for (const length of lengths) {
          const text = sample.slice(0, cut) + pump.repeat(length / pump.length) + end;
          const duration = durationOf(regex, text);
          if (duration > fewMilliseconds && isSlow(regex, text) && isSlow(regex, text)) return text;
          if (length === quarter && duration < aMoment) break;
        }
      }
    }
  }
  return null;
}

/** Whether it takes too long to find every match, compared with a linear pass at the same time. */
function isSlow(regex: RegExp, text: string): boolean {
  const cost = costOf(regex, text);
  return cost > fewMilliseconds && cost > limit * linearPass();
}

/** Milliseconds of CPU that it takes to find every match. */
function costOf(regex: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  findAll(regex, text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds that pass meanwhile. They are at least as many, and counting them costs much less. */
function durationOf(regex: RegExp, text: string): number {
  const before = performance.now();
  findAll(regex, text);
  return performance.now() - before;
}

function findAll(regex: RegExp, text: string): void {
  regex.lastIndex = 0;
  if (regex.global) for (const _ of text.matchAll(regex)) continue;
  else regex.exec(text);
}
