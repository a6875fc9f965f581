import { expect } from 'chai';
import { operatorScopes } from '../../../../core/operator/operator-scope.ts';
import { TestCommandLine } from '../../../support/processes/command-line.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';

/** What is common to keys that were issued at noon and not used. */
const atNoon = { createdAt: '2026-07-18T12:00:00.000Z', expiresAt: null, revokedAt: null, lastUsedAt: null };

interface Issued {
  readonly id: string;
  readonly key: string;
}

for (const { name, open } of stores) {
  describe(`latchkey operator, ${name}`, () => {
    const store = freshStore(open);
    let cli: TestCommandLine;
    beforeEach(() => {
      cli = new TestCommandLine(store());
    });

    it('issues a key with every scope and without expiry by default', async () => {
      const { id, key, ...terms } = await issue('--name Billing');
      expect(id).to.match(/^\w+$/);
      expect(key).to.match(/^svc_op_live_[0-9A-Za-z]{38}$/);
      expect(terms).to.deep.equal({ name: 'Billing', scopes: [...operatorScopes], expiresAt: null });
    });

    it('issues a key with given scopes, expiry and id, once', async () => {
      const line = '--name Support --scope admin:read --scope admin:waitlist --scope admin:read --id support-1';
      const terms = { id: 'support-1', name: 'Support', scopes: ['admin:read', 'admin:waitlist'] };
      const first = await issue(`${line} --expires 2026-07-19T01:00:00+02:00`);
      expect(first).to.deep.equal({ ...terms, key: first.key, expiresAt: '2026-07-18T23:00:00.000Z' });
      expect(await issue(`${line} --expires 2026-07-19T01:00:00+02:00`)).to.deep.equal({ ...first, key: null });
      expect(cli.changes).to.deep.equal([{ command: 'operator issue', operatorKeyId: 'support-1' }]);
    });

    it('says that a key was issued before', async () => {
      await issue('--name Support --id support-1');
      const { stdout } = await cli.run(['operator', 'issue', '--name', 'Support', '--id', 'support-1']);
      expect(stdout).to.match(/^Key +-$/m);
      expect(stdout).to.match(/The key was issued before and is not shown again\.\n$/);
    });

    it('lists keys without the keys themselves, ended ones too', async () => {
      const first = await issue('--name Billing --id a');
      const second = await issue('--name Support --scope admin:read --id b');
      await cli.json('operator revoke a');
      expect(await cli.json('operator list')).to.deep.equal([
        {
          ...atNoon,
          id: 'a',
          name: 'Billing',
          lastFour: first.key.slice(-4),
          scopes: [...operatorScopes],
          revokedAt: '2026-07-18T12:00:00.000Z',
        },
        { ...atNoon, id: 'b', name: 'Support', lastFour: second.key.slice(-4), scopes: ['admin:read'] },
      ]);
    });

    it('rotates a key with an overlap of a day by default, and revokes a key', async () => {
      await issue('--name Billing --scope admin:entitlements --id a');
      const { id, key, ...terms } = (await cli.json('operator rotate a')) as Issued;
      expect(key).to.match(/^svc_op_live_/);
      expect(terms).to.deep.equal({ name: 'Billing', scopes: ['admin:entitlements'], expiresAt: null });
      const [old] = ((await cli.json('operator list')) as readonly { readonly id: string }[]).filter(
        (each) => each.id === 'a',
      );
      expect(old).to.include({ expiresAt: '2026-07-19T12:00:00.000Z', revokedAt: null });
      await cli.json('operator rotate a --overlap 90m');
      const revoked = { id: 'a', expiresAt: '2026-07-18T13:30:00.000Z', revokedAt: '2026-07-18T12:00:00.000Z' };
      expect(await cli.json('operator revoke a')).to.include(revoked);
      expect(await cli.json('operator revoke a')).to.include(revoked);
      expect(await cli.json(`operator revoke ${id}`)).to.include({ id, expiresAt: null });
    });

    it('issues, rotates and revokes keys of the lines of a batch', async () => {
      const issued = await batch('issue', [
        { name: 'Billing', id: 'a', scope: ['admin:read', 'admin:catalog'] },
        { name: 'Support', id: 'b', scope: 'admin:read' },
      ]);
      expect(issued.map(({ scopes }) => scopes)).to.deep.equal([['admin:read', 'admin:catalog'], ['admin:read']]);
      const rotated = await batch('rotate', [{ id: 'a', overlap: '1h' }]);
      expect(rotated.map(({ name: of }) => of)).to.deep.equal(['Billing']);
      const revoked = await batch('revoke', [{ id: 'a' }, { id: 'b' }]);
      expect(revoked.map(({ id, expiresAt }) => [id, expiresAt])).to.deep.equal([
        ['a', '2026-07-18T13:00:00.000Z'],
        ['b', null],
      ]);
    });

    it('logs each change once and no key', async () => {
      await issue('--name Billing --id a');
      const { id, key } = (await cli.json('operator rotate a')) as Issued;
      await cli.json('operator revoke a');
      expect(cli.changes).to.deep.equal([
        { command: 'operator issue', operatorKeyId: 'a' },
        { command: 'operator rotate', operatorKeyId: id },
        { command: 'operator revoke', operatorKeyId: 'a' },
      ]);
      expect(JSON.stringify(cli.changes)).not.to.contain(key);
    });

    async function issue(options: string): Promise<Issued> {
      return (await cli.json(`operator issue ${options}`)) as Issued;
    }

    async function batch(command: string, lines: readonly object[]): Promise<readonly Record<string, unknown>[]> {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const { exitCode, stdout, stderr } = await cli.run(['operator', command, '-'], text);
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    }
  });
}
