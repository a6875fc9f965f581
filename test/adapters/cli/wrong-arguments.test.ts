import { expect } from 'chai';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { eventTypesRule } from '../../../core/webhook/event-types-rule.ts';
import { feedCursorRule } from '../../../core/webhook/redeliver-events.ts';
import { webhookUrlRule } from '../../../core/webhook/webhook-url.ts';
import { commandPaths, jsonError, TestCommandLine } from '../../support/processes/command-line.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval month';
const once = 'entitlement grant --product p1 --tier pro --tier-name Pro --interval one_time';
const changeTier = 'entitlement change-tier e1 --tier team --tier-name Team';
const identifierRule = 'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".';
const portRule = 'must be an integer from 0 to 65535; 0 means any free port.';
const nameRule = 'must be 1 to 200 characters, not blank and without control characters.';
const instantRule = 'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.';
const durationRule = 'must be a whole number with s, m, h or d, such as 24h, of at most 36500d.';
const scopeRule =
  '--scope must be one of read:listings, write:waitlist, read:licenses, read:entitlements, write:entitlements.';
const operatorScopeRule =
  '--scope must be one of admin:read, admin:entitlements, admin:catalog, admin:waitlist, admin:access.';
const formatRule = '--format must be one of ndjson, csv.';
const stdinRule = 'The argument of license find must be "-": the key is read from standard input.';

/** A command line, as an array or as words between single spaces, and its message. */
type Example = readonly [line: string | readonly string[], message: string];

const unknownNames: readonly Example[] = [
  ['prodct list', "Unknown command 'prodct'. Did you mean product?"],
  ['keys list', "Unknown command 'keys'. Did you mean key?"],
  ['product ad --id p1 --name One', "Unknown command 'ad'. Did you mean add?"],
  ['product remove p1', "Unknown command 'remove'. See --help."],
  ['entitlement suspnd e1', "Unknown command 'suspnd'. Did you mean suspend?"],
  ['entitlement cancl e1', "Unknown command 'cancl'. Did you mean cancel?"],
  ['license LK-00000-11111-22222-33333-44444-55555', 'Unknown command. See --help.'],
  ['product list --jsn', "Unknown option '--jsn'. Did you mean --json?"],
  ['product list --xyz', "Unknown option '--xyz'. See --help."],
  ['product list -j', "Unknown option '-j'. See --help."],
  ['--stor sqlite:x product list', "Unknown option '--stor'. Did you mean --store?"],
  ['serve --prot 1', "Unknown option '--prot'. Did you mean --port?"],
  [`${grant} --licence-key=secret-1234567890-secret`, "Unknown option '--licence-key'. See --help."],
  ['key issue --product p1 --expire 2027-01-01T00:00:00Z', "Unknown option '--expire'. Did you mean --expires?"],
  ['listing import - --dry-rum', "Unknown option '--dry-rum'. Did you mean --dry-run?"],
  ['entitlement import - --format csv', "Unknown option '--format'. See --help."],
  ['listing remove quiet-editor', "Unknown command 'remove'. See --help."],
  ['waitlist ada@example.com', 'Unknown command. See --help.'],
  ['waitlist erase --email ada@example.com', "Unknown option '--email'. See --help."],
  ['store copy --from sqlite:a --to sqlite:b --resum', "Unknown option '--resum'. Did you mean --resume?"],
  ['store migrat', "Unknown command 'migrat'. Did you mean migrate?"],
  ['config chek', "Unknown command 'chek'. Did you mean check?"],
  ['config print --prot 1', "Unknown option '--prot'. Did you mean --port?"],
  ['product list --port 1', "Unknown option '--port'. See --help."],
];

const missing: readonly Example[] = [
  ['product add --name One', "Required option '--id <id>' not specified."],
  ['product add --id p1', "Required option '--name <name>' not specified."],
  ['product add --id', "Option '--id <id>' argument missing."],
  ['product list --store', "Option '--store <url>' argument missing."],
  ['key issue', "Required option '--product <id>' not specified."],
  ['operator issue', "Required option '--name <name>' not specified."],
  ['operator rotate', "Missing required argument 'id'."],
  ['key revoke', "Missing required argument 'id'."],
  ['key rotate --overlap 1h', "Missing required argument 'id'."],
  ['entitlement show', "Missing required argument 'id'."],
  ['entitlement history', "Missing required argument 'id'."],
  ['entitlement suspend', "Missing required argument 'id'."],
  ['entitlement renew e1', "Required option '--period-end <instant>' not specified."],
  ['entitlement grant --tier pro --tier-name Pro --interval day', "Required option '--product <id>' not specified."],
  ['entitlement grant --product p1 --tier-name Pro --interval day', "Required option '--tier <id>' not specified."],
  ['entitlement grant --product p1 --tier pro --interval day', "Required option '--tier-name <name>' not specified."],
  [
    'entitlement grant --product p1 --tier pro --tier-name Pro',
    "Required option '--interval <interval>' not specified.",
  ],
  ['license rotate', "Missing required argument 'entitlement'."],
  ['license revoke', "Missing required argument 'entitlement'."],
  ['license find', "Missing required argument '-'."],
  ['entitlement import', "Missing required argument 'file'."],
  ['entitlement past-due', "Missing required argument 'id'."],
  ['entitlement reinstate', "Missing required argument 'id'."],
  ['entitlement revoke', "Missing required argument 'id'."],
  ['entitlement renew --period-end 2999-01-01T00:00:00Z', "Missing required argument 'id'."],
  ['listing import', "Missing required argument 'file'."],
  ['listing pause', "Missing required argument 'slug'."],
  ['listing delete', "Missing required argument 'slug'."],
  ['entitlement change-tier e1 --tier-name Team', "Required option '--tier <id>' not specified."],
  ['entitlement change-tier e1 --tier team', "Required option '--tier-name <name>' not specified."],
  ['listing publish', "Missing required argument 'slug'."],
  ['waitlist erase', "Missing required argument 'email'."],
  ['store backup', "Missing required argument 'file'."],
  ['store copy --to sqlite:b', 'Name the store with --from, --from-file, STORE_FROM or STORE_FROM_FILE.'],
  ['store copy --from sqlite:a', 'Name the store with --to, --to-file, STORE_TO or STORE_TO_FILE.'],
  ['store compare --from sqlite:a', 'Name the store with --to, --to-file, STORE_TO or STORE_TO_FILE.'],
  ['config check --port', "Option '--port <value>' argument missing."],
  ['config check --config', "Option '--config <file>' argument missing."],
];

const tooMany: readonly Example[] = [
  ['product list p1', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ['key revoke key_1 key_2', "Too many arguments for 'revoke'. Expected 1 argument but got 2."],
  ['entitlement show e1 e2', "Too many arguments for 'show'. Expected 1 argument but got 2."],
  ['operator revoke op_1 op_2', "Too many arguments for 'revoke'. Expected 1 argument but got 2."],
  ['operator list op_1', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ['key list p1', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ['entitlement list p1', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ['entitlement reinstate e1 e2', "Too many arguments for 'reinstate'. Expected 1 argument but got 2."],
  ['license rotate e1 e2', "Too many arguments for 'rotate'. Expected 1 argument but got 2."],
  ['listing list live', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ['listing export catalog.csv', "Too many arguments for 'export'. Expected 0 arguments but got 1."],
  ['listing import a b', "Too many arguments for 'import'. Expected 1 argument but got 2."],
  ['listing pause one two', "Too many arguments for 'pause'. Expected 1 argument but got 2."],
  ['waitlist export waitlist.csv', "Too many arguments for 'export'. Expected 0 arguments but got 1."],
  ['waitlist erase a@example.com b@example.com', "Too many arguments for 'erase'. Expected 1 argument but got 2."],
  ['store check sqlite:a', "Too many arguments for 'check'. Expected 0 arguments but got 1."],
  ['store migrate sqlite:a', "Too many arguments for 'migrate'. Expected 0 arguments but got 1."],
  ['store prune 72h', "Too many arguments for 'prune'. Expected 0 arguments but got 1."],
  [
    'store copy --from sqlite:a --to sqlite:b sqlite:c sqlite:d',
    "Too many arguments for 'copy'. Expected 0 arguments but got 2.",
  ],
  ['config print port', "Too many arguments for 'print'. Expected 0 arguments but got 1."],
  ['demo 3000', "Too many arguments for 'demo'. Expected 0 arguments but got 1."],
  ['license find - -', "Too many arguments for 'find'. Expected 1 argument but got 2."],
  ['serve 3000', "Too many arguments for 'serve'. Expected 0 arguments but got 1."],
];

const identifiers: readonly Example[] = [
  [['product', 'add', '--id', '', '--name', 'One'], `--id ${identifierRule}`],
  [['product', 'add', '--id', 'p 1', '--name', 'One'], `--id ${identifierRule}`],
  [`product add --id ${'p'.repeat(129)} --name One`, `--id ${identifierRule}`],
  ['product add --id p/1 --name One', `--id ${identifierRule}`],
  ['product add --id é --name One', `--id ${identifierRule}`],
  ['key issue --product p/1', `--product ${identifierRule}`],
  ['key revoke key/1', `<id> ${identifierRule}`],
  ['key issue --product p1 --id key/1', `--id ${identifierRule}`],
  ['operator issue --name One --id op/1', `--id ${identifierRule}`],
  ['operator revoke op/1', `<id> ${identifierRule}`],
  ['operator rotate op:1', `<id> ${identifierRule}`],
  ['key rotate key:1', `<id> ${identifierRule}`],
  ['entitlement show e/1', `<id> ${identifierRule}`],
  ['entitlement history e/1', `<id> ${identifierRule}`],
  ['entitlement past-due e/1', `<id> ${identifierRule}`],
  ['entitlement list --product p/1', `--product ${identifierRule}`],
  [`${grant} --id e/1`, `--id ${identifierRule}`],
  [`${grant} --tier pro+`, `--tier ${identifierRule}`],
  ['license rotate e/1', `<entitlement> ${identifierRule}`],
  ['entitlement cancel e/1', `<id> ${identifierRule}`],
  ['entitlement resume e/1', `<id> ${identifierRule}`],
  ['entitlement suspend e/1', `<id> ${identifierRule}`],
  ['entitlement reinstate e/1', `<id> ${identifierRule}`],
  ['entitlement revoke e/1', `<id> ${identifierRule}`],
  ['listing pause a/b', `<slug> ${identifierRule}`],
  ['listing delete a/b', `<slug> ${identifierRule}`],
  [`${changeTier} --tier a/b`, `--tier ${identifierRule}`],
  ['listing publish a/b', `<slug> ${identifierRule}`],
  ['license revoke e/1', `<entitlement> ${identifierRule}`],
];

const names: readonly Example[] = [
  [['product', 'add', '--id', 'p2', '--name', ''], `--name ${nameRule}`],
  [['product', 'add', '--id', 'p2', '--name', ' \t '], `--name ${nameRule}`],
  [['product', 'add', '--id', 'p2', '--name', 'One\nTwo'], `--name ${nameRule}`],
  [['product', 'add', '--id', 'p2', '--name', 'One\u2028Two'], `--name ${nameRule}`],
  [['product', 'add', '--id', 'p2', '--name', 'One\ud800'], `--name ${nameRule}`],
  [`product add --id p2 --name ${'n'.repeat(201)}`, `--name ${nameRule}`],
  [[...grant.split(' '), '--reference', ' '], `--reference ${nameRule}`],
  [[...grant.split(' '), '--reference', 'r'.repeat(201)], `--reference ${nameRule}`],
  [['entitlement', 'list', '--product', 'p1', '--reference', ''], `--reference ${nameRule}`],
  [['operator', 'issue', '--name', 'One\nTwo'], `--name ${nameRule}`],
  [`${grant} --tier-name \u001b[2J`, `--tier-name ${nameRule}`],
];

const choices: readonly Example[] = [
  ['key issue --product p1 --scope everything', scopeRule],
  ['operator issue --name One --scope read:entitlements', operatorScopeRule],
  ['key issue --product p1 --scope read:listings,read:licenses', scopeRule],
  [`${grant} --interval fortnight`, '--interval must be one of day, week, month, year, one_time.'],
  [`${changeTier} --interval one_time`, '--interval must be one of day, week, month, year.'],
  [`${grant} --status suspended`, '--status must be one of trialing, active, past_due.'],
  [
    'entitlement list --status cancelled',
    '--status must be one of trialing, active, past_due, suspended, canceled, expired, revoked.',
  ],
  ['license find some-key-on-the-command-line', stdinRule],
  ['listing import - --format xml', formatRule],
  ['listing export --format CSV', formatRule],
  ['listing export --json --format csv', '--format csv does not go with --json.'],
  ['waitlist export --format json', formatRule],
  ['waitlist export --json --format csv', '--format csv does not go with --json.'],
];

const addresses: readonly Example[] = ['', ' ', 'ada', '@example.com', 'ada@', ' ada@example.com', 'a b@c.d'].map(
  (text): Example => [['waitlist', 'erase', text], '<email> must have an @ and no white space.'],
);

const instants: readonly Example[] = [
  '2026-08-01',
  '2026-08-01T00:00:00',
  '2026-08-01 00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-08-01T24:00:00Z',
  '2026-08-01T00:00:60Z',
  '2026-08-01T00:00Z',
  '2026-08-01T00:00:00+24:00',
  '2026-08-01T00:00:00+0200',
  '1969-12-31T23:59:59Z',
  '9000-01-01T00:00:00Z',
  '+012026-08-01T00:00:00Z',
  'tomorrow',
  '1785542400',
  '',
].map((text): Example => [['entitlement', 'renew', 'e1', '--period-end', text], `--period-end ${instantRule}`]);

const durations: readonly Example[] = ['24', '1.5h', '-1h', '1w', '24H', '36501d', ''].map((text): Example => [
  ['key', 'rotate', 'key_1', '--overlap', text],
  `--overlap ${durationRule}`,
]);

const others: readonly Example[] = [
  ['key issue --product p1 --expires 2026-07-18T12:00:00Z', '--expires must be later than now.'],
  ['operator issue --name One --expires 2026-07-18T12:00:00Z', '--expires must be later than now.'],
  ['key rotate key_1 --expires 2026-07-18T11:59:59.999Z', '--expires must be later than now.'],
  ['key issue --product p1 --expires never', `--expires ${instantRule}`],
  ['entitlement list --reference sub_1', '--reference needs --product, because it is unique within a product only.'],
  ['entitlement list --ends-before soon', `--ends-before ${instantRule}`],
  ['entitlement renew e1 --period-end 2027-01-01T00:00:00Z --grace long', `--grace ${durationRule}`],
  [`${changeTier} --period-end soon`, `--period-end ${instantRule}`],
  [`${changeTier} --grace 1`, `--grace ${durationRule}`],
  [`${grant} --grace 1`, `--grace ${durationRule}`],
  [`${grant} --period-end 2026-07-18T12:00:00Z`, '--period-end must be later than the start of the period.'],
  [
    `${grant} --period-start 2026-09-01T00:00:00Z --period-end 2026-09-01T00:00:00Z`,
    '--period-end must be later than the start of the period.',
  ],
  [`${once} --period-end 2027-01-01T00:00:00Z`, '--period-end does not go with --interval one_time, which never ends.'],
  [`${once} --grace 24h`, '--grace does not go with --interval one_time, which never ends.'],
  ['config check --port 65536', `port (--port) ${portRule}`],
  ['config print --port 65536', `port (--port) ${portRule}`],
  [['store', 'backup', ' copy.db'], '<file> must not be blank, nor begin or end with a space.'],
  [['store', 'backup', ''], '<file> must not be blank, nor begin or end with a space.'],
  ['serve --port 65536', `port (--port) ${portRule}`],
  ['serve --port 3e3', `port (--port) ${portRule}`],
  ['demo --seed=', '--seed must not be empty.'],
  ['demo --port -1', `port (--port) ${portRule}`],
  [['serve', '--host', ''], 'host (--host) must be a host name or IP address.'],
  [['product', 'list', '--store', ' '], 'store (--store) must be memory:, sqlite:PATH or mongodb://HOST/DATABASE.'],
];

const webhooks: readonly Example[] = [
  ['webhook add', "Required option '--url <url>' not specified."],
  ['webhook add --url ftp://shop.example/', `--url ${webhookUrlRule.rule}.`],
  ['webhook add --url https://shop.example/ --types entitlement.end', `--types ${eventTypesRule.rule}.`],
  ['webhook list whk_1', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  ...['show', 'enable', 'disable', 'test', 'retry', 'delete', 'rotate-secret'].map((command): Example => [
    `webhook ${command}`,
    "Missing required argument 'id'.",
  ]),
  ['webhook rotate-secret whk_1 --overlap long', `--overlap ${durationRule}`],
  ['webhook replay whk_1 --from 0-', "Required option '--product <id>' not specified."],
  ['webhook replay whk_1 --product p1 --from 0', `--from ${feedCursorRule.rule}.`],
  ['webhook skip whk_1 --to 0-', "Required option '--product <id>' not specified."],
  ['webhook skip whk_1 --product p1', "Required option '--to <cursor>' not specified."],
  ['webhook skip whk_1 --product p1 --to 0', `--to ${feedCursorRule.rule}.`],
];

const groups = {
  unknownNames,
  missing,
  tooMany,
  identifiers,
  names,
  choices,
  addresses,
  instants,
  durations,
  others,
  webhooks,
};

const program = await commandLine(new TestCommandLine().shell());

describe('a wrong command line', () => {
  it('is tested for every command', () => {
    const shown = Object.values(groups)
      .flat()
      .map(([line]) => (typeof line === 'string' ? line.split(' ') : line));
    const without = commandPaths(program)
      .filter((path) => path.command.commands.length === 0)
      .map(({ names: path }) => path)
      .filter((path) => !shown.some((words) => path.every((name, position) => words[position] === name)));
    expect(without).to.deep.equal([]);
  });

  for (const [group, examples] of Object.entries(groups)) {
    describe(`(${group})`, () => {
      for (const [line, message] of examples) {
        const words = typeof line === 'string' ? line.split(' ') : line;
        it(`gets a message: ${JSON.stringify(words.join(' '))}`, async () => {
          const cli = new TestCommandLine();
          const stderr = words.includes('--json') ? jsonError('invalid_argument', message) : `${message}\n`;
          expect(await cli.run(words)).to.deep.equal({ exitCode: 2, stdout: '', stderr });
          expect([cli.opened, cli.changes, cli.served, cli.demonstrated]).to.deep.equal([[], [], [], []]);
        });
      }
    });
  }

  for (const line of ['', 'product', 'key', 'entitlement', 'license', 'help nonsense']) {
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
