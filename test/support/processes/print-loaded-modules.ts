import { registerHooks } from 'node:module';
import { Writable } from 'node:stream';
import type { Shell } from '../../../adapters/cli/shell/shell.ts';

/** Runs a command line over a store with one product and prints the modules that it loaded, as a JSON array of URLs. */
const loaded = new Set<string>();
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    loaded.add(resolved.url);
    return resolved;
  },
});

const { runCommandLine } = await import('../../../adapters/cli/command-line.ts');
const product = { id: 'p1', name: 'One', createdAt: new Date(0) };
const written: string[] = [];
const output = new Writable({
  write: (chunk, _encoding, done) => {
    written.push(String(chunk));
    done();
  },
});
// The commands of this test reach no other part of a shell.
const shell = {
  version: '1',
  settingFlags: [],
  newCall: () => ({}),
  openStore: async () => ({ everyProduct: () => [product], close: async () => {} }),
  stdout: output,
  stderr: output,
} as unknown as Shell;
const exitCode = await runCommandLine(process.argv.slice(2), shell);
if (exitCode !== 0 || written.length === 0) throw new Error(`exit code ${exitCode}: ${written.join('')}`);
process.stdout.write(JSON.stringify([...loaded]));
