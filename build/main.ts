import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';

/** `prepack`: emits what the packages hold into `dist` and `client/dist`, because Node strips no types below a node_modules. */

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

interface BuildConfig {
  /** The folders that are emitted. */
  readonly include: readonly string[];
}

/**
 * Files of other packages that are read by their path: where they come from, and where they go below `dist`. What lies
 * beside the sources needs no line here: folders named `assets`, and files that the compiler does not emit, are copied.
 */
const swaggerUi = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'];
const copies: readonly (readonly [from: string, to: string])[] = swaggerUi.map((name) => [
  `node_modules/swagger-ui-dist/${name}`,
  `adapters/web/assets/swagger-ui/${name}`,
]);

const clientDist = join(root, 'client/dist');
for (const folder of [dist, clientDist]) rmSync(folder, { recursive: true, force: true });
emit();
// The client is in both packages: a dependency on the smaller one would have to be in a registry.
cpSync(join(dist, 'client'), clientDist, { recursive: true });
copyFilesBesideSources();
writeCommit();
for (const [from, to] of copies) cpSync(join(root, from), join(dist, to), { recursive: true });

/** Emits JavaScript and declarations. */
function emit(): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(typescript), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** Leaves the commit where `app/service/release.ts` looks for it. An image is built without git, from an argument. */
function writeCommit(): void {
  const { COMMIT = '' } = process.env;
  // A folder above may be another project's checkout.
  const git = existsSync(join(root, '.git')) ? spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root }) : null;
  const commit = (COMMIT || (git?.status === 0 ? git.stdout.toString() : '')).trim();
  if (commit !== '') writeFileSync(join(dist, 'app/service/commit.txt'), `${commit}\n`);
}

/** Copies styles, pages and all other files that the compiler does not emit. */
function copyFilesBesideSources(): void {
  const { include }: BuildConfig = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  const emitted = new Set(['.ts', '.js', '.json']);
  const patterns = include.filter((folder) => folder !== 'client').map((folder) => `${folder}/**/*.*`);
  for (const path of globSync(patterns, { cwd: root })) {
    const isAsset = path.split(sep).includes('assets');
    if (isAsset || !emitted.has(extname(path))) cpSync(join(root, path), join(dist, path), { recursive: true });
  }
}
