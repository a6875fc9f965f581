import { expect } from 'chai';
import { isCompiled, lockedPackages, nameOf, scriptDecisions } from './lockfile.ts';

describe('the packages of package-lock.json', () => {
  it('need no compiler: npm dropped a mark that `npm run lockfile` brings back where one does', async () => {
    const packages = Object.entries(await lockedPackages());
    expect(packages.filter(([folder, locked]) => isCompiled(folder, locked)).map(([folder]) => folder)).to.deep.equal(
      [],
    );
  });

  it('run no script at installation but that of Node, with an npm that does not know `allowScripts`', async () => {
    const scripted = Object.entries(await lockedPackages()).filter(([, locked]) => locked.hasInstallScript === true);
    expect(scripted.map(([folder]) => nameOf(folder))).to.deep.equal(['node']);
  });

  it('are marked where package.json disallows their script, and nowhere else', async () => {
    const disallowed = Object.entries(await scriptDecisions()).filter(([, allowed]) => !allowed);
    const marked = Object.entries(await lockedPackages()).filter(([, locked]) => locked.gypfile === false);
    expect(marked.map(([folder]) => nameOf(folder)).toSorted()).to.deep.equal(
      disallowed.map(([name]) => name).toSorted(),
    );
  });
});
