import { expect } from 'chai';
import { createContainer, portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { aCall, hour, later } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

describe('a session of an operator in a container', () => {
  const store = freshStore(memory.open);

  for (const [title, settings, idle] of [
    ['an hour by default', {}, hour],
    ['that of the settings', { consoleIdle: 5000 }, 5000],
  ] as const) {
    it(`ends after an idle time, ${title}, or when it is signed out of`, async () => {
      const container = createContainer(store(), settings);
      const request = { id: null, name: 'Support', products: null, scopes: ['admin:read'], expiresAt: null } as const;
      const { key } = await administrationOf(portsIn(container), nodePlatform).issueOperatorKey(request, aCall());
      const { token, ...opened } = await container.get(tokens.signIn)(key ?? '', aCall());
      const find = (now = later(0)) => container.get(tokens.findOperatorSession)(token, aCall({ now }));
      expect([await find(), await find(later(idle))]).to.deep.equal([opened, null]);
      await container.get(tokens.signOut)(token, aCall());
      expect(await find()).to.equal(null);
    });
  }
});
