import { expect } from 'chai';
import { scopes } from '../../../../core/access/scope.ts';
import { TestCommandLine } from '../../../support/processes/command-line.ts';

describe('latchkey', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
  });

  describe('product', () => {
    it('adds products, creating the store, and lists them', async () => {
      const added = { id: 'p0', name: 'Zéro', createdAt: '2026-07-18T12:00:00.000Z' };
      expect(await cli.json('product add --id p0 --name Zéro --store sqlite:x.db')).to.deep.equal(added);
      expect(await cli.json('product list')).to.deep.equal([added, { ...added, id: 'p1', name: 'One' }]);
      expect(cli.opened).to.deep.equal([
        { url: 'sqlite:data/latchkey.db', create: true },
        { url: 'sqlite:x.db', create: true },
        { url: 'sqlite:data/latchkey.db', create: false },
      ]);
      expect(cli.closed).to.equal(3);
    });

    it('lists no products as an empty array', async () => {
      expect(await new TestCommandLine().run(['product', 'list', '--json'])).to.deep.equal({
        exitCode: 0,
        stdout: '[]\n',
        stderr: '',
      });
    });
  });

  describe('key', () => {
    it('issues a key with every scope and without expiry by default', async () => {
      const issued = await cli.json('key issue --product p1');
      expect(issued).to.have.all.keys('id', 'key', 'productId', 'scopes', 'expiresAt');
      expect(issued).to.include({ productId: 'p1', expiresAt: null });
      expect(issued).to.have.deep.property('scopes', scopes);
    });

    it('issues a key with given scopes and expiry', async () => {
      const issued = await cli.json(
        'key issue --product p1 --scope read:entitlements --scope write:entitlements --scope read:entitlements --expires 2026-07-19T01:00:00+02:00',
      );
      expect(issued).to.deep.include({
        scopes: ['read:entitlements', 'write:entitlements'],
        expiresAt: '2026-07-18T23:00:00.000Z',
      });
    });

    it('issues a key with an id once', async () => {
      const first = await issuedKey('--id key-of-ci');
      expect(first).to.include({ id: 'key-of-ci' });
      expect(await issuedKey('--id key-of-ci')).to.deep.equal({ ...first, key: null });
      expect(cli.changes.slice(1)).to.deep.equal([{ command: 'key issue', appKeyId: 'key-of-ci' }]);
    });

    it('lists keys without the keys themselves', async () => {
      const { id, key } = await issuedKey();
      expect(await cli.json('key list')).to.deep.equal([
        {
          id,
          productId: 'p1',
          lastFour: key.slice(-4),
          scopes,
          createdAt: '2026-07-18T12:00:00.000Z',
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null,
        },
      ]);
    });

    it('rotates a key with an overlap of a day by default, and revokes a key', async () => {
      const { id } = await issuedKey('--scope read:entitlements');
      const rotated = await cli.json(`key rotate ${id}`);
      expect(rotated).to.have.all.keys('id', 'key', 'productId', 'scopes', 'expiresAt');
      expect(rotated).to.deep.include({ productId: 'p1', scopes: ['read:entitlements'], expiresAt: null });
      const again = await cli.json(`key rotate ${id} --overlap 90m --expires 2027-01-01T00:00:00Z`);
      expect(again).to.include({ expiresAt: '2027-01-01T00:00:00.000Z' });
      expect(await cli.json(`key revoke ${id}`)).to.include({
        id,
        expiresAt: '2026-07-18T13:30:00.000Z',
        revokedAt: '2026-07-18T12:00:00.000Z',
      });
      const ends = (await cli.json('key list')) as readonly { readonly expiresAt: string | null }[];
      expect(ends.map(({ expiresAt }) => expiresAt)).to.have.members([
        null,
        '2026-07-18T13:30:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ]);
    });
  });

  it('logs each change once and no key', async () => {
    const { id, key } = await issuedKey();
    await cli.json(`key revoke ${id}`);
    await cli.json(`key revoke ${id}`);
    await cli.json('entitlement grant --product p1 --tier pro --tier-name Pro --interval month --id e1');
    expect(cli.changes).to.deep.equal([
      { command: 'product add', productId: 'p1' },
      { command: 'key issue', appKeyId: id },
      { command: 'key revoke', appKeyId: id },
      { command: 'entitlement grant', entitlementId: 'e1', versionBefore: 0, version: 1 },
    ]);
    expect(JSON.stringify(cli.changes)).not.to.contain(key);
  });

  async function issuedKey(more = ''): Promise<{ readonly id: string; readonly key: string }> {
    return (await cli.json(`key issue --product p1 ${more}`.trim())) as { readonly id: string; readonly key: string };
  }
});
