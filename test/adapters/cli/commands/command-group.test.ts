import { expect } from 'chai';
import { Command } from 'commander';
import { command, type CommandGroup } from '../../../../adapters/administration/declaration/command.ts';
import { optional, required, subject } from '../../../../adapters/administration/declaration/member.ts';
import { addCommandGroup, sortCommands } from '../../../../adapters/cli/commands/command-group.ts';
import { textRule, textThat, type ValueRule } from '../../../../core/parsing/value-rule.ts';
import { TestCommandLine, TextSink } from '../../../support/cli/command-line.ts';
import { thrownBy } from '../../../support/thrown.ts';

const pairRule = textRule((text) => {
  const [name = '', value] = text.split('=');
  return value === undefined ? null : ([name, value] as const);
}, 'must be NAME=VALUE');

const pairsRule: ValueRule<object> = {
  parse: () => null,
  read: (gathered) => (Object.keys(gathered as object).length <= 2 ? (gathered as object) : null),
  rule: 'must be an object of at most 2 pairs',
};

const deviceRule = textThat((text) => text.startsWith('dev_'), 'must be a device');

/** A command group with features that no real one has: a second argument, and options that become an object. */
const made: CommandGroup = {
  name: 'device',
  tag: { name: 'Devices', description: 'For this test.' },
  schemas: {},
  commands: [
    command({
      verb: 'list',
      does: 'list devices',
      operation: null,
      members: { id: subject('<entitlement>', 'the id of the entitlement') },
      hasBatch: false,
      run: async (_administration, { id }) => ({
        data: [{ id, device: 'dev_1' }],
        table: { columns: ['device'] },
        note: 'One.',
      }),
    }),
    command({
      verb: 'release',
      does: 'release a device',
      operation: null,
      members: {
        id: subject('<entitlement>', 'the id of the entitlement'),
        device: subject('<device>', 'the device', deviceRule),
        reason: required(
          '--reason <text>',
          'why',
          textThat((text) => text !== '', 'must not be empty'),
        ),
        feature: {
          ...optional('--feature <pair>', 'a feature, repeatable', pairsRule),
          each: pairRule,
          gather: (pairs: readonly (readonly [string, string])[]) => Object.fromEntries(pairs),
        },
        note: { ...optional('--note <text>', 'a note', deviceRule), needs: ['feature', 'because it is about one'] },
      },
      run: async (_administration, values) => ({ data: values }),
    }),
  ],
};

function prepared(stdin = ''): { readonly program: Command; readonly stdout: TextSink } {
  const stdout = new TextSink();
  const input = async function* (): AsyncIterable<Uint8Array> {
    yield Buffer.from(stdin);
  };
  const program = new Command().option('--json').exitOverride();
  addCommandGroup(made, program, { ...new TestCommandLine().shell(), stdout, stdin: input() });
  return { program, stdout };
}

async function run(line: string): Promise<string> {
  const { program, stdout } = prepared();
  await program.parseAsync(line.split(' '), { from: 'user' });
  return stdout.text;
}

describe('a declared command on the command line', () => {
  it('has a second argument, and one value of an option that is given several times', async () => {
    const released = { id: 'e1', device: 'dev_1', reason: 'lost', feature: { sso: 'on', sla: 'gold' }, note: null };
    const line = 'release e1 dev_1 --reason lost --feature sso=on --feature sla=gold --json';
    expect(JSON.parse(await run(line))).to.deep.equal(released);
  });

  it('has both arguments in each line of a batch', async () => {
    const lines = [{ id: 'e1', device: 'dev_1', feature: ['a=b'] }, { id: 'e1', device: 'e1' }, { id: 'e1' }];
    const { program, stdout } = prepared(lines.map((each) => JSON.stringify(each)).join('\n'));
    const refused = await thrownBy(program.parseAsync('release - --reason lost'.split(' '), { from: 'user' }));
    expect(refused).to.have.property('message', '2 of 3 lines were refused.');
    expect(
      stdout.text
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each) as unknown),
    ).to.deep.equal([
      { id: 'e1', device: 'dev_1', reason: 'lost', feature: { a: 'b' }, note: null },
      { line: 2, id: 'e1', code: 'invalid_line', error: 'device must be a device.' },
      { line: 3, id: 'e1', code: 'invalid_line', error: 'device is missing.' },
    ]);
  });

  it('is refused without its second argument, with a wrong one, with "-" and another, with too many values, and without what an option needs', async () => {
    for (const [line, message] of [
      ['release e1 --reason lost', "Missing required argument 'device'."],
      ['release e1 e2 --reason lost', '<device> must be a device.'],
      ['release - dev_1 --reason lost', 'Nothing can follow "-".'],
      ['release e1 dev_1', "Required option '--reason <text>' not specified."],
      [
        'release e1 dev_1 --reason lost --feature a=1 --feature b=2 --feature c=3',
        '--feature must be an object of at most 2 pairs.',
      ],
      ['release e1 dev_1 --reason lost --note dev_2', '--note needs --feature, because it is about one.'],
    ] as const) {
      expect(await thrownBy(run(line)), line).to.have.property('message', message);
    }
  });

  it('shows a list as a table, with a line below', async () => {
    expect(await run('list e1')).to.equal('Device\ndev_1\n\nOne.\n');
    expect(JSON.parse(await run('list e1 --json'))).to.deep.equal([{ id: 'e1', device: 'dev_1' }]);
  });

  it('stands in the order of the help, if that names it', () => {
    const program = new Command();
    for (const name of ['a', 'b', 'c', 'd']) program.command(name);
    sortCommands(program, 'c a');
    expect(program.commands.map((each) => each.name())).to.deep.equal(['c', 'a', 'b', 'd']);
  });
});
