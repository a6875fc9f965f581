import { expect } from 'chai';
import { refusalMessages } from '../../../adapters/cli/output/refusal-messages.ts';
import type { Shell } from '../../../adapters/cli/shell/shell.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { Refusal, type CommandRefusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { administrationOver } from '../../support/administration.ts';
import { commandForms, wordsOf, type CommandForm } from '../../support/cli/command-arguments.ts';
import { jsonError, TextSink, type TestCommandLine } from '../../support/cli/command-line.ts';
import { commandLineWithProduct, grant } from '../../support/cli/line-files.ts';
import { thrownBy } from '../../support/thrown.ts';

const keyOf = (length: number): string => 'k'.repeat(length);

/** Refusals that depend on what commands read: an argument, or standard input. */
const refused: readonly (readonly [line: string, code: CommandRefusal, stdin?: string])[] = [
  ['product add --id p1 --name Again', 'product_exists'],
  ['product set p2 --name Two', 'product_not_found'],
  ['entitlement suspend unknown', 'entitlement_not_found'],
  [`${grant} --license-key ${keyOf(23)}`, 'invalid_license_key'],
  [`${grant} --license-key -`, 'invalid_license_key', ''],
  [`${grant} --license-key -`, 'invalid_license_key', keyOf(100_000)],
  [`${grant} --license-key -`, 'license_key_exists', `${keyOf(24)}\n`],
  ['license find -', 'license_not_found', keyOf(25)],
];

const forms = await commandForms();

describe('a refused command', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = await commandLineWithProduct();
    await cli.json(`${grant} --id licensed --license-key ${keyOf(24)}`);
    cli.changes.length = 0;
    cli.closed = 0;
  });

  async function expectRefused(code: CommandRefusal, line: string, stdin = '', overrides = {}): Promise<void> {
    const error = refusalMessages[code];
    const asText = await cli.run(line.split(' '), stdin, overrides);
    expect(asText).to.deep.equal({ exitCode: 1, stdout: '', stderr: `${error}\n` });
    const asJson = await cli.run([...line.split(' '), '--json'], stdin, overrides);
    expect(asJson).to.deep.equal({ exitCode: 1, stdout: '', stderr: jsonError(code, error) });
  }

  for (const code of Object.keys(refusalMessages) as readonly CommandRefusal[]) {
    it(`prints the reason, logs nothing and closes the store: ${code}`, async () => {
      const runEntitlementCommand = () => Promise.reject(new Refusal(code));
      const close = async (): Promise<void> => void (cli.closed += 1);
      const openStore = async () => ({ ...administrationOver(cli.store), runEntitlementCommand, close });
      await expectRefused(code, 'entitlement suspend licensed', '', { openStore });
      expect([cli.changes, cli.closed]).to.deep.equal([[], 2]);
    });
  }

  for (const [line, code, stdin = ''] of refused) {
    const input = stdin === '' ? '' : `, ${stdin.length} characters on standard input`;
    it(`prints the reason and changes nothing (${code}): ${line}${input}`, async () => {
      const before = structuredClone(cli.store);
      await expectRefused(code, line, stdin);
      expect([structuredClone(cli.store), cli.changes, cli.closed]).to.deep.equal([before, [], 2]);
    });
  }

  it('has a code in JSON for every other error', async () => {
    const missing = new UnusableStore('There is no store at x.', { isMissing: true });
    const examples: readonly (readonly [string, Error | null, string])[] = [
      ['product list', missing, '{"code":"store_not_found","error":"There is no store at x."}'],
      ['product list', new UnusableStore('x is no store.'), '{"code":"store_unusable","error":"x is no store."}'],
      [
        'entitlement show a/b',
        null,
        `{"code":"invalid_argument","error":"<id> ${identifierRule.rule.replaceAll('"', '\\"')}."}`,
      ],
      ['product lst', null, `{"code":"invalid_argument","error":"Unknown command 'lst'. Did you mean list?"}`],
      ['product', null, '{"code":"invalid_argument","error":"The command is missing or unknown: see --help."}'],
      [
        'serve --port x',
        null,
        '{"code":"invalid_argument","error":"port (--port) must be an integer from 0 to 65535; 0 means any free port."}',
      ],
    ];
    for (const [line, error, json] of examples) {
      const overrides = error === null ? {} : { openStore: failingWith(error) };
      const { stdout, stderr } = await cli.run([...line.split(' '), '--json'], '', overrides);
      expect([stdout, stderr]).to.deep.equal(['', `${json}\n`]);
    }
  });

  it('has a code in JSON for a fault, which is thrown as well', async () => {
    const stderr = new TextSink();
    const fault = new Error('disk on fire');
    const run = cli.run(['product', 'list', '--json'], '', { openStore: failingWith(fault), stderr });
    expect(await thrownBy(run)).to.equal(fault);
    expect(JSON.parse(stderr.text)).to.deep.equal({
      code: 'internal_error',
      error: 'The command failed because of a fault; see the log.',
    });
  });

  for (const { path, command, given, required } of forms.filter(opensOneStore)) {
    const creates = ['product add', 'entitlement import', 'listing import'].includes(path);
    it(`${creates ? 'may create' : 'needs'} its store, and prints why that cannot be opened: ${path}`, async () => {
      const may: unknown[] = [];
      const openStore: Shell['openStore'] = async (_typed, missing) => {
        may.push(missing);
        throw new UnusableStore('There is no store at /srv/x.db.', { isMissing: true });
      };
      const [taken] = command.registeredArguments;
      const dash = taken?.required === true ? ['-'] : [];
      const words = [...(given.length === 0 ? dash : wordsOf(given)), ...wordsOf(required)];
      const { exitCode, stdout, stderr } = await cli.run([...path.split(' '), ...words], '', { openStore });
      const found = path === 'store check' ? stdout : stderr;
      expect([exitCode, found.split('\n')[0]]).to.deep.equal([1, 'There is no store at /srv/x.db.']);
      const readOnly = path === 'store check' ? { readOnly: true } : {};
      expect(may).to.deep.equal([{ create: creates, ...readOnly }]);
    });
  }

  it('cannot use a store in memory', async () => {
    cli.opened.length = 0;
    expect(await cli.run(['product', 'list', '--store', 'memory:'])).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: 'A store in memory ends with its process: only serve and demo can use one.\n',
    });
    expect(cli.opened).to.deep.equal([]);
  });

  it('throws every other error', async () => {
    for (const fault of [new Error('disk on fire'), new Refusal('too_many_changes')]) {
      const openStore = failingWith(fault);
      expect(await thrownBy(cli.run(['product', 'list'], '', { openStore }))).to.equal(fault);
    }
  });
});

/** Whether a command works on one store, which it opens to administer it. */
function opensOneStore({ path }: CommandForm): boolean {
  return !/^(serve|demo|config .*|texts print|store (copy|compare|migrate|restore))$/.test(path);
}

function failingWith(error: Error): Shell['openStore'] {
  return async () => {
    throw error;
  };
}
