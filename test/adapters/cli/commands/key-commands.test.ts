import { expect } from 'chai';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import type { TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithProduct } from '../../../support/cli/line-files.ts';

interface Issued {
  readonly id: string;
  readonly key: string;
}

const kinds = [
  {
    group: 'key',
    required: '--product p1',
    owner: { productId: 'p1' },
    scopes,
    form: /^svc_sk_live_[0-9A-Za-z]{38}$/,
    logged: (command: string, appKeyId: string) => ({ command, appKeyId }),
  },
  {
    group: 'operator',
    required: '--name Billing',
    owner: { name: 'Billing', products: null },
    scopes: operatorScopes,
    form: /^svc_op_live_[0-9A-Za-z]{38}$/,
    logged: (command: string, operatorKeyId: string) => ({ command, operatorKeyId }),
  },
];

for (const { group, required, owner, scopes: all, form, logged } of kinds) {
  describe(`latchkey ${group}`, () => {
    let cli: TestCommandLine;
    beforeEach(async () => {
      cli = await commandLineWithProduct();
    });

    const issue = async (options = ''): Promise<Issued> =>
      (await cli.json(`${group} issue ${required} ${options}`.trim())) as Issued;

    it('issues a key with every scope and without expiry by default', async () => {
      const { id, key, ...terms } = await issue();
      expect(id).to.match(/^\w+$/);
      expect(key).to.match(form);
      expect(terms).to.deep.equal({ ...owner, scopes: [...all], expiresAt: null });
    });

    it('issues a key with given scopes, expiry and id, once', async () => {
      const [first = '', , last = ''] = all;
      const line = `--scope ${first} --scope ${last} --scope ${first} --id k1 --expires 2026-07-19T01:00:00+02:00`;
      const issued = await issue(line);
      const terms = { ...owner, scopes: [first, last], expiresAt: '2026-07-18T23:00:00.000Z' };
      expect(issued).to.deep.equal({ id: 'k1', key: issued.key, ...terms });
      expect(await issue(line)).to.deep.equal({ ...issued, key: null });
      const { stdout } = await cli.run(`${group} issue ${required} ${line}`.split(' '));
      expect(stdout).to.match(/^Key +-$/m);
      expect(stdout).to.match(/The key was issued before and is not shown again\.\n$/);
      expect(cli.changes).to.deep.equal([logged(`${group} issue`, 'k1')]);
    });

    it('lists keys without the keys themselves, ended ones too', async () => {
      const { key } = await issue('--id k1');
      await cli.json(`${group} revoke k1`);
      const at = '2026-07-18T12:00:00.000Z';
      const lastFour = key.slice(-4);
      const dates = { createdAt: at, expiresAt: null, revokedAt: at, lastUsedAt: null };
      const listed = { id: 'k1', ...owner, lastFour, scopes: [...all], ...dates };
      expect(await cli.json(`${group} list`)).to.deep.equal([listed]);
    });

    it('rotates a key with an overlap of a day by default, revokes one, and logs each once without the key', async () => {
      await issue('--id k1');
      const { id, key, ...terms } = (await cli.json(`${group} rotate k1`)) as Issued;
      expect(key).to.match(form);
      expect(terms).to.deep.equal({ ...owner, scopes: [...all], expiresAt: null });
      const [old] = (await cli.json(`${group} list`)) as readonly object[];
      expect(old).to.include({ id: 'k1', expiresAt: '2026-07-19T12:00:00.000Z', revokedAt: null });
      const expires = '2027-01-01T00:00:00.000Z';
      const again = (await cli.json(`${group} rotate k1 --overlap 90m --expires ${expires}`)) as Issued;
      expect(again).to.include({ expiresAt: expires });
      const revoked = { id: 'k1', expiresAt: '2026-07-18T13:30:00.000Z', revokedAt: '2026-07-18T12:00:00.000Z' };
      for (const _ of ['once', 'twice']) expect(await cli.json(`${group} revoke k1`)).to.include(revoked);
      expect(cli.changes).to.deep.equal([
        logged(`${group} issue`, 'k1'),
        logged(`${group} rotate`, id),
        logged(`${group} rotate`, again.id),
        logged(`${group} revoke`, 'k1'),
      ]);
      expect(JSON.stringify(cli.changes)).not.to.contain(key);
    });
  });
}

describe('the answer to an operator key', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  const lastLine = async (line: string): Promise<string> =>
    (await cli.run(line.split(' '))).stdout.trimEnd().split('\n').at(-1) ?? '';

  it('says so if the key has all scopes, and if it never expires', async () => {
    const shown = 'The key is shown only this once.';
    const forEver = `${shown} It has all scopes and never expires: limit a key with --scope and --expires.`;
    const every = operatorScopes.map((scope) => `--scope ${scope}`).join(' ');
    const issue = 'operator issue --name Billing';
    expect(await lastLine(`${issue} --id k1`)).to.equal(forEver);
    expect(await lastLine(`${issue} ${every}`)).to.equal(forEver);
    expect(await lastLine('operator rotate k1')).to.equal(forEver);
    expect(await lastLine(`${issue} --expires 2027-01-01T00:00:00Z`)).to.equal(
      `${shown} It has all scopes: limit a key with --scope.`,
    );
    expect(await lastLine(`${issue} --scope admin:read`)).to.equal(shown);
    expect(await lastLine('key issue --product p1')).to.equal(shown);
  });
});
