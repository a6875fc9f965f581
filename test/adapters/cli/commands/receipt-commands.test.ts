import { expect } from 'chai';
import { jsonError, type TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithSubscriptions, runBatch } from '../../../support/cli/line-files.ts';
import { claimsOf, isSignedByOneOf } from '../../../support/receipts/read-receipt.ts';

interface Issued {
  readonly receipt: string;
  readonly issuedAt: string;
  readonly refreshAfter: string;
  readonly expiresAt: string;
}

interface Key {
  readonly kid: string;
  readonly state: string;
}

const statesOf = (keys: readonly Key[]): readonly string[] => keys.map(({ state }) => state);

type KeySet = Parameters<typeof isSignedByOneOf>[1];

describe('latchkey license receipt', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithSubscriptions();
  });

  it('prints the receipt alone, and logs it without its text', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['license', 'receipt', 'e1', '--expires', '1d']);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^[\w-]+\.[\w-]+\.[\w-]{86}\n$/);
    expect(claimsOf(stdout.trim())).to.include({
      iss: 'https://latchkey.test',
      aud: 'p1',
      sub: 'e1',
      mode: 'offline',
      exp: Date.parse('2026-07-19T12:00:00.000Z') / 1000,
    });
    const keys = (await cli.json('signing-key export')) as KeySet;
    expect(isSignedByOneOf(stdout.trim(), keys)).to.equal(true);
    const expiresAt = new Date('2026-07-19T12:00:00.000Z');
    expect(cli.changes).to.deep.equal([{ command: 'license receipt', entitlementId: 'e1', expiresAt }]);
  });

  it('prints its times too as JSON, and ends with the access by default', async () => {
    const { receipt, ...times } = (await cli.json('license receipt e1')) as Issued;
    expect(receipt.split('.')).to.have.length(3);
    expect(times).to.deep.equal({
      issuedAt: '2026-07-18T12:00:00.000Z',
      refreshAfter: '2026-08-03T12:00:00.000Z',
      expiresAt: '2026-08-19T12:00:00.000Z',
    });
  });

  it('writes it to a new file only', async () => {
    const line = ['license', 'receipt', 'e1', '--out', 'receipt.jwt'];
    const first = await cli.run(line);
    const printed = 'The receipt is written. It holds until 2026-08-19T12:00:00.000Z.\n';
    expect(first).to.deep.equal({ exitCode: 0, stdout: printed, stderr: '' });
    const written = cli.files.get('receipt.jwt') ?? '';
    expect(claimsOf(written.trim())['sub']).to.equal('e1');
    expect(written.endsWith('\n')).to.equal(true);
    cli.changes.length = 0;
    const second = await cli.run([...line, '--json']);
    const stderr = jsonError('invalid_argument', 'The file exists already: name a new one.');
    expect(second).to.deep.equal({ exitCode: 2, stdout: '', stderr });
    expect([cli.files.get('receipt.jwt'), cli.changes]).to.deep.equal([written, []]);
  });

  it('leaves no file if it is refused', async () => {
    await cli.json('entitlement suspend e1');
    const { exitCode, stderr } = await cli.run(['license', 'receipt', 'e1', '--out', 'receipt.jwt']);
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'The entitlement gives no access now, so there is nothing to sign.\n',
    ]);
    expect([...cli.files]).to.deep.equal([]);
  });

  it('takes a seat for the device that it names, until no seat is left', async () => {
    await cli.json('entitlement allow e1 --device-limit 1');
    const line = ['license', 'receipt', 'e1', '--device-id', 'machine-of-ada', '--device-name', "Ada's machine"];
    const { stdout } = await cli.run(line);
    const { device } = claimsOf(stdout.trim());
    const expiresAt = '2026-08-19T12:00:00.000Z';
    const { devices: seats } = (await cli.json('device list e1')) as { readonly devices: readonly object[] };
    expect(seats).to.have.length(1);
    expect(seats[0]).to.include({ device, name: "Ada's machine", offlineUntil: expiresAt });
    expect((await cli.run(line)).exitCode).to.equal(0);
    const { exitCode, stderr } = await cli.run(['license', 'receipt', 'e1', '--device-id', 'machine-of-bob']);
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'All devices of the license are in use; release one with device release, or change the limit with entitlement allow.\n',
    ]);
    expect(await cli.json('device list e1')).to.deep.include({ devices: seats });
  });

  it('has no name of a device without its id', async () => {
    const run = await cli.run(['license', 'receipt', 'e1', '--device-name', 'A machine']);
    expect(run).to.deep.equal({ exitCode: 2, stdout: '', stderr: '--device-name needs --device-id.\n' });
  });

  it('refuses to hold longer than the setting allows', async () => {
    const run = await cli.run(['license', 'receipt', 'e1', '--expires', '401d']);
    const stderr = '--expires must not be longer than the setting RECEIPT_MAX_AGE.\n';
    expect(run).to.deep.equal({ exitCode: 2, stdout: '', stderr });
    const [exitCode, lines] = await runBatch(cli, 'license receipt -', [
      { id: 'e1', expires: '401d' },
      { id: 'e1', expires: '0s' },
      { id: 'e2', expires: '1d' },
    ]);
    expect(exitCode).to.equal(1);
    expect(lines[0]).to.deep.equal({
      line: 1,
      id: 'e1',
      code: 'invalid_line',
      error: 'expires must not be longer than the setting RECEIPT_MAX_AGE.',
    });
    expect(lines[1]).to.include({
      error: 'expires must be a whole number with s, m, h or d, such as 30d, of at least 1s and at most 36500d.',
    });
    expect(lines[2]).to.include({ expiresAt: '2026-07-19T12:00:00.000Z' });
  });

  it('refuses an entitlement whose license is revoked, and one that does not exist', async () => {
    await cli.json('license revoke e1');
    for (const [id, error] of [
      ['e1', 'There is no such license.'],
      ['e9', 'There is no entitlement with this id.'],
    ] as const) {
      const { exitCode, stdout, stderr } = await cli.run(['license', 'receipt', id]);
      expect([exitCode, stdout, stderr]).to.deep.equal([1, '', `${error}\n`]);
    }
  });
});

describe('latchkey signing-key', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithSubscriptions();
  });

  const list = async (): Promise<readonly Key[]> => (await cli.json('signing-key list')) as readonly Key[];

  it('lists none before the first are made, which an export does', async () => {
    expect(await list()).to.deep.equal([]);
    expect((await cli.run(['signing-key', 'list'])).stdout).to.equal('None.\n');
    const { keys } = (await cli.json('signing-key export')) as { readonly keys: readonly Key[] };
    expect(keys.map((key) => Object.keys(key).join(' '))).to.deep.equal(Array(2).fill('kty crv x y kid alg use'));
    const listed = await list();
    expect(statesOf(listed)).to.deep.equal(['active', 'next']);
    expect(listed.map(({ kid }) => kid)).to.deep.equal(keys.map(({ kid }) => kid));
    const { stdout } = await cli.run(['signing-key', 'export']);
    expect(JSON.parse(stdout)).to.deep.equal({ keys });
    expect(cli.changes).to.deep.equal([]);
  });

  it('shows its keys as a table with a note, and what it revokes as a list', async () => {
    await cli.json('signing-key export');
    const { stdout } = await cli.run(['signing-key', 'list']);
    expect(stdout).to.match(/^Kid +State +Alg +Created at +Active at +Retired at +Revoked at +Good until\n/);
    const note = 'The next key is published since 2026-07-18T12:00:00.000Z. Ship it in your apps before you rotate.';
    expect(stdout).to.contain(note);
    const revoked = await cli.run(['signing-key', 'revoke', (await list())[0]?.kid ?? '']);
    expect(revoked.stdout).to.match(/^State +revoked$/m);
  });
});
