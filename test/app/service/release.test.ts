import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { headOf, releaseIn, version } from '../../../app/service/release.ts';

const commit = 'b7a10baa00112233445566778899aabbccddeeff';
const older = '0123456700112233445566778899aabbccddeeff';

describe('the commit of a release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
  }

  it('is that of the branch or the commit that is checked out', () => {
    write({ '.git/HEAD': 'ref: refs/heads/fix/one', '.git/refs/heads/fix/one': commit });
    expect(headOf(folder)).to.equal(commit);
    write({ '.git/HEAD': older });
    expect(headOf(folder)).to.equal(older);
  });

  it('is found among packed references, which older ones do not hide', () => {
    write({
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/packed-refs': `# pack-refs with: peeled\n${older} refs/heads/domain\n${commit} refs/heads/main`,
    });
    expect(headOf(folder)).to.equal(commit);
    write({ '.git/refs/heads/main': older });
    expect(headOf(folder)).to.equal(older);
  });

  it('is found in the checkout of a worktree', () => {
    write({
      'tree/.git': 'gitdir: ../main/.git/worktrees/tree',
      'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/tree',
      'main/.git/worktrees/tree/commondir': '../..',
      'main/.git/refs/heads/tree': commit,
    });
    expect(headOf(join(folder, 'tree'))).to.equal(commit);
  });

  it('is null where there is none, and where the files have another form', () => {
    expect(headOf(folder)).to.equal(null);
    write({ '.git/HEAD': 'ref: refs/heads/main' });
    expect(headOf(folder)).to.equal(null);
    for (const head of ['', 'ref: ../../secret', 'commit b7a10ba', commit.toUpperCase()]) {
      write({ '.git/HEAD': head, secret: commit });
      expect(headOf(folder)).to.equal(null);
    }
  });

  it('follows the version: of a checkout, or of the file that the build leaves, which counts first', () => {
    expect(releaseIn(join(folder, 'app/service'))).to.equal(version);
    write({ '.git/HEAD': commit, 'app/service/none.txt': '' });
    expect(releaseIn(join(folder, 'app/service'))).to.equal(`${version}+b7a10ba`);
    write({ 'app/service/commit.txt': older });
    expect(releaseIn(join(folder, 'app/service'))).to.equal(`${version}+0123456`);
  });
});
