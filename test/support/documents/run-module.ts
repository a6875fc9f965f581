import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { outputs } from '../run/output-search.ts';
import { inCheckout } from './in-checkout.ts';

/** A program of a document, and where it runs. */
interface ModuleRun {
  /** The folder that is its current one. */
  readonly cwd: string;
  /** Its environment, beside that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  /** The files that it imports, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

let runs = 0;

/**
 * Runs a program with the packages of this checkout in this process, and returns what it prints. It and the files that it
 * imports are modules of this run alone, so that a second run begins as a process that was started again.
 */
export async function runModule(program: string, { cwd, env = {}, args = [], files = {} }: ModuleRun): Promise<string> {
  runs += 1;
  const own = join(cwd, `run-${runs}`);
  await mkdir(own);
  for (const [name, text] of Object.entries({ ...files, 'program.ts': program })) {
    await writeFile(join(own, name), inCheckout(text));
  }
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv, log: console.log };
  let printed = '';
  process.chdir(cwd);
  Object.assign(process.env, env);
  process.argv = [process.execPath, 'program.ts', ...args];
  console.log = (...values: readonly unknown[]) => void (printed += `${format(...values)}\n`);
  try {
    await import(pathToFileURL(join(own, 'program.ts')).href);
  } finally {
    process.chdir(before.cwd);
    for (const name of Object.keys(env)) {
      if (before.env[name] === undefined) delete process.env[name];
      else process.env[name] = before.env[name];
    }
    process.argv = before.argv;
    console.log = before.log;
  }
  outputs.stdout(['program.ts', ...args], printed);
  return printed;
}
