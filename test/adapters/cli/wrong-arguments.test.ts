import { expect } from 'chai';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { commandForms, wordsOf } from '../../support/cli/command-arguments.ts';
import { jsonError, TestCommandLine } from '../../support/cli/command-line.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval month';
const once = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval one_time';
const portRule = 'must be an integer from 0 to 65535; 0 means any free port.';
const pathRule = '<file> must not be blank, nor begin or end with a space.';

/** A command line, as an array or as words between single spaces, and its message. */
type Example = readonly [line: string | readonly string[], message: string];

/** Values are not repeated, because they could be secrets. */
const unknownNames: readonly Example[] = [
  ['prodct list', "Unknown command 'prodct'. Did you mean product?"],
  ['product ad --id p1 --name One', "Unknown command 'ad'. Did you mean add?"],
  ['product remove p1', "Unknown command 'remove'. See --help."],
  ['license LK-00000-11111-22222-33333-44444-55555', 'Unknown command. See --help.'],
  ['waitlist ada@example.com', 'Unknown command. See --help.'],
  ['product list --jsn', "Unknown option '--jsn'. Did you mean --json?"],
  ['product list -j', "Unknown option '-j'. See --help."],
  ['product list --port 1', "Unknown option '--port'. See --help."],
  ['--stor sqlite:x product list', "Unknown option '--stor'. Did you mean --store?"],
  [`${grant} --licence-key=secret-1234567890-secret`, "Unknown option '--licence-key'. See --help."],
];

/** Mistakes that are not in a single value, and the rules of values that only commands read. */
const others: readonly Example[] = [
  ['product list --store', "Option '--store <url>' argument missing."],
  ['product list --config', "Option '--config <file>' argument missing."],
  ['store backup ~/backup.db', '<file> must have the home folder itself in place of ~, which nothing expands here.'],
  [
    'license receipt e1 --out $HOME/receipt',
    '--out must have the value itself in place of $NAME, ${NAME} or %h, which nothing expands here.',
  ],
  ['product set p1 --activate-url one-pad:key', '--activate-url must have {key} once, and no other braces.'],
  ['license find key', 'The argument of license find must be "-": the key is read from standard input.'],
  ['listing export --json --format csv', '--format csv cannot be combined with --json.'],
  ['waitlist export --json --format csv', '--format csv cannot be combined with --json.'],
  ['key issue --product p1 --expires 2026-07-18T12:00:00Z', '--expires must be later than now.'],
  ['operator issue --name One --expires 2026-07-18T12:00:00Z', '--expires must be later than now.'],
  ['key rotate key_1 --expires 2026-07-18T11:59:59.999Z', '--expires must be later than now.'],
  ['entitlement list --reference sub_1', '--reference needs --product, because it is unique within a product only.'],
  [`${grant} --period-end 2026-07-18T12:00:00Z`, '--period-end must be later than the start of the period.'],
  [
    `${grant} --period-start 2026-09-01T00:00:00Z --period-end 2026-09-01T00:00:00Z`,
    '--period-end must be later than the start of the period.',
  ],
  [`${once} --access-ends-at 2026-07-18T12:00:00Z`, '--access-ends-at must be later than the start of the access.'],
  [
    `${once} --access-ends-at 2027-01-01T00:00:00Z --period-end 2027-01-02T00:00:00Z`,
    '--period-end must be left out of a purchase with --access-ends-at, which is its end.',
  ],
  [
    `${grant} --access-ends-at 2027-01-01T00:00:00Z`,
    '--access-ends-at needs --interval one_time: the access of a subscription ends with its period and grace.',
  ],
  [`${once} --grace 24h`, '--grace cannot be combined with --interval one_time, which has no intervals.'],
  [['store', 'backup', ' copy.db'], pathRule],
  [['store', 'backup', 'copy.db '], pathRule],
  [['store', 'backup', 'copy\n.db'], pathRule],
  ['config check --port 65536', `port (--port) ${portRule}`],
  ['config print --port 65536', `port (--port) ${portRule}`],
  ['serve --port 3e3', `port (--port) ${portRule}`],
  ['demo --port -1', `port (--port) ${portRule}`],
  [['product', 'list', '--store', ' '], 'store (--store) must be memory:, sqlite:PATH or mongodb://HOST/DATABASE.'],
];

const forms = await commandForms();
const { commands } = await commandLine(new TestCommandLine().shell());

describe('a wrong command line', () => {
  for (const { path, command, options, required, given } of forms) {
    const name = command.name();
    const words = path.split(' ');
    const taken = command.registeredArguments;

    it(`is refused with an unknown option, without the value of one, and with an argument too many: ${path}`, async () => {
      await expectRefused([...words, '--xyz'], "Unknown option '--xyz'. See --help.");
      for (const { flags, long, required: takesValue } of command.options) {
        if (takesValue) await expectRefused([...words, long ?? ''], `Option '${flags}' argument missing.`);
      }
      const surplus = Array.from({ length: taken.length + 1 }, () => '-');
      const expected = `Expected ${taken.length} argument${taken.length === 1 ? '' : 's'}`;
      const message = `Too many arguments for '${name}'. ${expected} but got ${surplus.length}.`;
      await expectRefused([...words, ...surplus], message);
    });

    const [first] = taken;
    if (first?.required === true) {
      it(`is refused without its argument: ${path}`, async () => {
        await expectRefused([...words, ...wordsOf(required)], `Missing required argument '${first.name()}'.`);
      });
    } else if (first !== undefined) {
      it(`is refused with another argument than "-": ${path}`, async () => {
        await expectRefused([...words, 'x1'], `The argument of ${name} must be "-".`);
      });
    }

    for (const { flag } of given.slice(1)) {
      it(`is refused without its argument ${flag}: ${path}`, async () => {
        const message = `Missing required argument '${flag.slice(1, -1)}'.`;
        await expectRefused([...words, ...wordsOf([...given.slice(0, 1), ...required])], message);
      });
    }

    for (const option of required) {
      it(`is refused without a required option: ${path} ${option.flag}`, async () => {
        const rest = wordsOf([...given, ...required.filter((each) => each !== option)]);
        await expectRefused([...words, ...rest], `Required option '${option.flags}' not specified.`);
      });
    }

    for (const { flag, rule } of [...options, ...given].filter(({ takesAny }) => !takesAny)) {
      it(`is refused with a value that breaks its rule: ${path} ${flag}`, async () => {
        const before = given.slice(
          0,
          given.findIndex((each) => each.flag === flag),
        );
        const behind = given.slice(before.length + 1);
        const wrong = flag.startsWith('<')
          ? [...wordsOf(before), '', ...wordsOf(behind)]
          : [...wordsOf(given), flag, ''];
        await expectRefused([...words, ...wrong], `${flag} ${rule}.`);
      });
    }
  }

  for (const [line, message] of [...unknownNames, ...others]) {
    const words = typeof line === 'string' ? line.split(' ') : line;
    it(`gets a message: ${JSON.stringify(words.join(' '))}`, () => expectRefused(words, message));
  }

  const groups = commands.filter((group) => group.commands.length > 0).map((group) => group.name());
  for (const line of ['', ...groups, 'help nonsense']) {
    it(`without a known command prints the help: "${line}"`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await cli.run(line === '' ? [] : line.split(' '));
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.match(/^Usage: latchkey .*Commands:.*The command is missing or unknown: see --help\.\n$/s);
      expect(cli.opened).to.deep.equal([]);
    });
  }

  it('is refused before the store is opened if the key on standard input is not text', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['license', 'find', '-'], Uint8Array.of(0xff, 0xfe, 0x41))).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr: 'The license key on standard input must be UTF-8 text.\n',
    });
    expect(cli.opened).to.deep.equal([]);
  });
});

/** Expects exit code 2 and this message, and that nothing was done. */
async function expectRefused(words: readonly string[], message: string): Promise<void> {
  const cli = new TestCommandLine();
  const stderr = words.includes('--json') ? jsonError('invalid_argument', message) : `${message}\n`;
  expect(await cli.run(words), words.join(' ')).to.deep.equal({ exitCode: 2, stdout: '', stderr });
  expect([cli.opened, cli.changes, cli.served, cli.demonstrated]).to.deep.equal([[], [], [], []]);
}
