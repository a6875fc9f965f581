import { expect } from 'chai';
import { commandForms, type RuledValue } from '../../../support/cli/command-arguments.ts';
import type { TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithSubscriptions, runBatch } from '../../../support/cli/line-files.ts';

const anObject = 'The line must be a JSON object.';
const notAnOption = 'A member of the line is not an option of this command.';
const batches = (await commandForms()).filter(({ hasBatch }) => hasBatch);

/** A line that the command would accept, with some members replaced. */
function lineWith(required: readonly RuledValue[], members: object = {}): object {
  return { ...Object.fromEntries(required.map(({ member, valid }) => [member, valid])), ...members };
}

describe('a refused line of a batch', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithSubscriptions();
  });

  /** Expects a batch of these lines to be refused with these errors, and to change nothing. */
  async function expectRefused(command: string, lines: readonly (readonly [line: unknown, error: string])[]) {
    const before = structuredClone(cli.store);
    const [exitCode, answers, stderr] = await runBatch(
      cli,
      `${command} -`,
      lines.map(([line]) => line),
    );
    const errors = lines.map(([, error], index) => [index + 1, error]);
    expect(answers.map(({ line, error }) => [line, error])).to.deep.equal(errors);
    expect([exitCode, stderr]).to.deep.equal([1, `${lines.length} of ${lines.length} lines were refused.\n`]);
    expect(structuredClone(cli.store)).to.deep.equal(before);
    expect(cli.changes).to.deep.equal([]);
  }

  for (const { path, options, required, given } of batches) {
    const needed = [...given, ...required];
    const members = [...given, ...options];
    const missing = needed.map(({ member }) => `${member} is missing.`).join(' ');

    it(`is no JSON object, has too few members, or one that is unknown: ${path} -`, async () => {
      const texts = ['{', '[]', '"e1"', '1', 'null', '{"id":"e1"', "{'id':'e1'}"];
      await expectRefused(path, [
        ...texts.map((text) => [text, anObject] as const),
        [{}, missing],
        ...needed.map(({ member }) => [lineWith(needed, { [member]: null }), `${member} is missing.`] as const),
        [lineWith(needed, { json: true }), notAnOption],
      ]);
    });

    it(`has members that are no text, or break their rule: ${path} -`, async () => {
      await expectRefused(
        path,
        members.flatMap(({ member, rule, isNumber, takesAny }) => [
          isNumber
            ? ([lineWith(needed, { [member]: -1 }), `${member} ${rule}.`] as const)
            : ([lineWith(needed, { [member]: 1 }), `${member} must be a text.`] as const),
          [lineWith(needed, { [member]: [1] }), `${member} must be a text.`] as const,
          ...(takesAny ? [] : [[lineWith(needed, { [member]: '' }), `${member} ${rule}.`] as const]),
        ]),
      );
    });
  }

  const identifierRule =
    'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-", and neither "." nor "..".';
  const terms = { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'day' };
  const others: readonly (readonly [command: string, line: object, error: string])[] = [
    ['entitlement suspend', { id: 'e1', ID: 'e2' }, notAnOption],
    [
      'entitlement renew',
      { id: 'e1', 'period-end': '2026-09-18T12:00:00Z' },
      '"period-end" is unknown; did you mean periodEnd?',
    ],
    [
      'entitlement renew',
      { id: 'e 1', graze: '1h', xyz: 1, abc: 1 },
      `"graze" is unknown; did you mean grace? ${notAnOption} id ${identifierRule}`,
    ],
    ['entitlement renew', { id: 'e1', periodEnd: ['2026-09-18T12:00:00Z'] }, 'periodEnd must be a text.'],
    [
      'entitlement grant',
      { ...terms, interval: 'one_time', periodEnd: '2026-09-18T12:00:00Z', accessEndsAt: '2026-09-19T12:00:00Z' },
      'periodEnd must be left out of a purchase with accessEndsAt, which is its end.',
    ],
    [
      'entitlement grant',
      { ...terms, periodEnd: '2020-01-01T00:00:00Z' },
      'periodEnd must be later than the start of the period.',
    ],
    [
      'entitlement grant',
      { ...terms, licenseKey: '-' },
      'A license key must have 24 to 120 characters, not counting white space at its ends, 16 of them neither white space nor invisible, and be well-formed Unicode.',
    ],
    ['key issue', { product: 'p1', scope: [] }, 'scope must be a text.'],
    ['key issue', { product: 'p1', expires: '2020-01-01T00:00:00Z' }, 'expires must be later than now.'],
    ['product add', { id: 'p1', name: 'Again' }, 'There is a product with this id already.'],
  ];
  for (const [command, line, error] of others) {
    it(`gets a message: ${command} - of ${JSON.stringify(line)}`, () => expectRefused(command, [[line, error]]));
  }
});
