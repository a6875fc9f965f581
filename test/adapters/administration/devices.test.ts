import { expect } from 'chai';
import { aCall, aSubscription, granted, later } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';

const [lost, kept] = ['a', 'b'].map((letter) => `dev_${letter.repeat(22)}`);

atEachDoor('the commands about devices', (door) => {
  const id = 'ent_1';
  const limit = { deviceLimit: 3 };

  beforeEach(async () => {
    const seen = aSubscription({ ...limit, sequence: 1 });
    await door().ports.allEntitlements.add(granted([seen]), aCall());
    const put = [lost, kept].map((each = '', index) => ({
      id: each,
      name: index === 0 ? 'The laptop of Ada' : null,
      activatedAt: later(index),
      seenAt: later(index),
      offlineUntil: null,
    }));
    const next = { ...seen, devicesUsed: 2, revision: seen.revision + 1 };
    await door().ports.devices.replace(seen, next, { gone: [], put, events: [] }, aCall());
  });

  it('list the seats, release one and then all, and log each release once', async () => {
    const shown = [lost, kept].map((device, index) => {
      const at = later(index).toISOString();
      return {
        device,
        name: index === 0 ? 'The laptop of Ada' : null,
        activatedAt: at,
        seenAt: at,
        offlineUntil: null,
      };
    });
    expect(await door().run('device list', { id })).to.deep.equal({ devices: shown, ...limit, devicesUsed: 2 });
    for (const released of [1, 0]) {
      const outcome = await door().run('device release', { id, device: lost });
      expect(outcome).to.deep.equal({ released, ...limit, devicesUsed: 1 });
    }
    for (const released of [1, 0]) {
      expect(await door().run('device clear', { id })).to.deep.equal({ released, ...limit, devicesUsed: 0 });
    }
    const logged = { entitlementId: id, productId: 'prod_1', released: 1 };
    expect(door().changes()).to.deep.equal([
      { command: 'device release', ...logged },
      { command: 'device clear', ...logged },
    ]);
    for (const command of ['device list', 'device clear']) {
      expect(await door().refusal(command, { id: 'none' })).to.equal('entitlement_not_found');
    }
  });
});
