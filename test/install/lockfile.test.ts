import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { isCompiled, lockedPackages } from './lockfile.ts';

describe('the packages of package-lock.json', () => {
  it('need no compiler: npm dropped a mark that `npm run lockfile` brings back where one does', async () => {
    const packages = Object.entries(await lockedPackages());
    expect(packages.filter(([folder, locked]) => isCompiled(folder, locked)).map(([folder]) => folder)).to.deep.equal(
      [],
    );
    expect(packages.filter(([, locked]) => locked.gypfile === false).map(([folder]) => folder)).to.deep.equal([
      'node_modules/better-sqlite3',
    ]);
  });

  it('run no script at installation that package.json does not decide on', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { allowScripts } = JSON.parse(manifest) as { allowScripts: Record<string, boolean> };
    const scripted = Object.entries(await lockedPackages()).filter(([, locked]) => locked.hasInstallScript === true);
    const names = scripted.map(([folder]) => folder.replace(/^.*node_modules\//, ''));
    expect(names).to.include('node');
    expect(names.filter((name) => !(name in allowScripts))).to.deep.equal([]);
  });
});
