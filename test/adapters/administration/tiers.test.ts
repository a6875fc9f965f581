import { expect } from 'chai';
import { aCall } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

const pro = { productId: 'prod_1', id: 'pro' };

atEachDoor('the commands about tiers', (door) => {
  beforeEach(() => door().administration.addProduct('prod_1', 'Sketchpad', aCall()));

  it('declare a tier as a whole, show it, list and delete tiers, and log what they change', async () => {
    const features = { theme: 'dark', sso: true, projects: 20 };
    const trial = '14d';
    const shown = {
      id: 'pro',
      deviceLimit: 3,
      features: { projects: 20, sso: true, theme: 'dark' },
      trial,
      revision: 1,
    };
    for (const _ of ['once', 'twice']) {
      expect(await door().run('tier put', { ...pro, deviceLimit: 3, features, trial })).to.deep.equal(shown);
    }
    const emptied = { id: 'pro', deviceLimit: null, features: {}, trial: null, revision: 2 };
    expect(await door().run('tier put', pro)).to.deep.equal(emptied);
    const free = { ...emptied, id: 'free', revision: 1 };
    expect(await door().run('tier put', { ...pro, id: 'free' })).to.deep.equal(free);
    expect(await door().run('tier show', pro)).to.deep.equal(emptied);
    expect(await door().run('tier list', { productId: 'prod_1' })).to.deep.equal([free, emptied]);
    for (const _ of ['once', 'twice']) await door().run('tier delete', pro);
    expect(await door().refusal('tier show', pro)).to.equal('tier_not_found');
    expect(await door().run('tier put', pro)).to.deep.equal({ ...emptied, revision: 4 });
    const logged = { command: 'tier put', productId: 'prod_1', tierId: 'pro' };
    expect(door().changes()).to.deep.equal([
      { ...logged, revision: 1 },
      { ...logged, revision: 2 },
      { ...logged, tierId: 'free', revision: 1 },
      { ...logged, command: 'tier delete' },
      { ...logged, revision: 4 },
    ]);
  });

  it('offer one trial of a product, of an hour to 90 days', async () => {
    await door().run('tier put', { ...pro, trial: '14d' });
    const team = { ...pro, id: 'team' };
    expect(await door().refusal('tier put', { ...team, trial: '1h' })).to.equal('trial_exists');
    await door().run('tier put', team);
    await door().run('tier put', pro);
    expect(await door().run('tier put', { ...team, trial: '2160h' })).to.deep.include({ trial: '90d' });
  });

  it('need a product that exists', async () => {
    for (const [command, values] of [
      ['tier put', { ...pro, productId: 'prod_2' }],
      ['tier list', { productId: 'prod_2' }],
    ] as const) {
      expect(await door().refusal(command, values)).to.equal('product_not_found');
    }
  });
});
