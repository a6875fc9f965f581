import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A browser as Playwright launches it. */
interface Launch {
  readonly executablePath: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Launches the browser that was found; the one of the package is unpacked first. */
export type Chromium = () => Promise<Launch>;

/**
 * The names of its commands on Debian, Fedora and Ubuntu, and by Google. The shell, which has no windows, takes two
 * thirds of the CPU.
 */
const commands = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const applications = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];
const folders = ['/Applications', join(homedir(), 'Applications')];

const packaged = '@sparticuz/chromium';
const require = createRequire(import.meta.url);

/**
 * Finds a Chromium: the one that `CHROMIUM` names, one of the PATH, an application of macOS, Playwright's own, or that
 * of the package beside this file; null if none of them exists.
 */
export async function findChromium(): Promise<Chromium | null> {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM names ${named}, which does not exist.`);
  const path = named ?? installed() ?? (await playwrights());
  if (path !== null) return async () => ({ executablePath: path });
  return process.platform === 'linux' && process.arch === 'x64' && hasPackage() ? unpack : null;
}

function installed(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = commands.flatMap((command) => onPath.map((folder) => join(folder, command)));
  const onMac = folders.flatMap((folder) => applications.map((application) => join(folder, application)));
  return [...places, ...onMac].find((place) => existsSync(place)) ?? null;
}

async function playwrights(): Promise<string | null> {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

function hasPackage(): boolean {
  try {
    return require.resolve(packaged) !== '';
  } catch {
    return false;
  }
}

/** Unpacks the browser of the package with its libraries and fonts, once, into a folder that no other user can fill. */
async function unpack(): Promise<Launch> {
  const cache = join(import.meta.dirname, 'node_modules/.cache');
  const folder = join(cache, 'chromium');
  if (!existsSync(folder)) {
    const begun = `${folder}-${process.pid}`;
    await mkdir(begun, { recursive: true });
    await unpackInto(begun);
    const fonts = join(begun, 'fonts/fonts.conf');
    await writeFile(fonts, (await readFile(fonts, 'utf8')).replace('/tmp/fonts<', `${folder}/fonts<`));
    await rename(begun, folder).catch(() => rm(begun, { recursive: true })); // another run was faster
  }
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return { executablePath: join(folder, 'chromium'), env: { ...process.env, ...libraries } };
}

/** The package unpacks to the temporary folder, its libraries only where it runs on AWS, and changes the environment. */
async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' });
  try {
    const { default: chromium } = (await import(require.resolve(packaged))) as { default: Packaged };
    await chromium.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

interface Packaged {
  executablePath(): Promise<string>;
}
