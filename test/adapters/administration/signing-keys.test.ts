import { expect } from 'chai';
import { aCall, noon } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

interface Key {
  readonly kid: string;
  readonly state: string;
}

const statesOf = (keys: readonly Key[]): readonly string[] => keys.map(({ state }) => state);

atEachDoor('the commands about signing keys', (door) => {
  beforeEach(() => door().administration.exportSigningKeys(aCall()));

  const list = async () => (await door().run('signing-key list')) as readonly Key[];
  const rotate = async (values = {}) => (await door().run('signing-key rotate', values)) as readonly Key[];

  it('show everything but the private half', async () => {
    const [active, next, ...more] = await list();
    const [createdAt, never] = [noon.toISOString(), { retiredAt: null, revokedAt: null, goodUntil: null }];
    const shown = { kid: active?.kid, state: 'active', alg: 'ES256', createdAt, activeAt: createdAt, ...never };
    expect([active, next?.state, more]).to.deep.equal([shown, 'next', []]);
  });

  it('rotate once from a key, and without one each time', async () => {
    const [first, second] = await list();
    for (const _ of ['once', 'twice']) {
      const rotated = await rotate({ from: first?.kid });
      expect([rotated[0]?.kid, statesOf(rotated)]).to.deep.equal([second?.kid, ['active', 'next', 'retired']]);
    }
    expect(door().changes()).to.deep.equal([{ command: 'signing-key rotate', signingKeyId: second?.kid }]);
    expect(statesOf(await rotate())).to.deep.equal(['active', 'next', 'retired', 'retired']);
    expect(door().changes()).to.have.length(2);
    expect(await door().refusal('signing-key rotate', { from: 'none' })).to.equal('signing_key_not_found');
  });

  it('revoke a key, which is published no more, once', async () => {
    const kid = (await list())[0]?.kid;
    for (const _ of ['once', 'twice']) {
      expect(await door().run('signing-key revoke', { kid })).to.include({ kid, state: 'revoked' });
    }
    expect(statesOf(await list())).to.deep.equal(['active', 'next', 'revoked']);
    const { keys } = await door().administration.exportSigningKeys(aCall());
    expect(keys.map((key) => key.kid))
      .to.have.length(2)
      .and.not.include(kid);
    expect(door().changes()).to.deep.equal([{ command: 'signing-key revoke', signingKeyId: kid }]);
  });
});
