import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allSettings } from '../../app/settings/settings.ts';
import packageJson from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the files for containers and systemd', () => {
  it('label the image with the version of the package', () => {
    expect(read('Dockerfile')).to.include(`org.opencontainers.image.version="${packageJson.version}"`);
  });

  it('send everything to the build that the package is made of', () => {
    const { include } = JSON.parse(read('tsconfig.build.json')) as { readonly include: readonly string[] };
    const sent = read('.dockerignore').split('\n');
    expect(sent).to.include.members(['*', ...['build', 'docs', ...include].map((folder) => `!${folder}`)]);
  });

  const files = [
    'Dockerfile',
    'compose.yaml',
    'compose.mongo.yaml',
    'deploy/compose.backup.yaml',
    'deploy/latchkey.service',
    'deploy/latchkey.service.d/mail.conf',
    'deploy/latchkey.service.d/stripe.conf',
    'deploy/latchkey-backup.service',
    'deploy/proxy/Caddyfile',
    'deploy/proxy/nginx.conf',
  ];
  for (const file of files) {
    it(`name only settings that exist: ${file}`, () => {
      const known = new Set(allSettings.flatMap(({ env }) => [env, `${env}_FILE`]));
      const others = ['NODE_ENV', 'NODE_IMAGE', 'MONGO_IMAGE', 'XDG_CACHE_HOME'];
      const named = [...read(file).matchAll(/\b(?!AF_)[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name);
      expect(named.filter((name) => !known.has(name) && !others.includes(name))).to.deep.equal([]);
    });
  }
});
