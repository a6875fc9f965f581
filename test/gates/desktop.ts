// Runs the programs of docs/gates.md and docs/desktop.md in Python and Go: with the service, then without it, over what
// they have stored.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileOf } from '../../docs/generate/repository.ts';
import { startLatchkey } from '../../testing/index.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

const inMemory = `
import os
import keyring
import keyring.backend

class Memory(keyring.backend.KeyringBackend):
    priority = 1

    def get_password(self, service, username):
        return os.environ["SKETCHPAD_LICENSE_KEY"]

    def set_password(self, service, username, password):
        raise NotImplementedError

keyring.set_keyring(Memory())
`;
const printsInPython = `
result = check()
print(result.verdict, result.source)
`;
const printsInGo = `package main

import (
	"context"
	"fmt"
)

func main() {
	check, err := mayRun(context.Background())
	fmt.Println(check.Verdict, check.Source, err)
}
`;

const work = await mkdtemp(join(tmpdir(), 'latchkey-'));
const latchkey = await startLatchkey();
const { licenseKey } = await latchkey.grant({ productId: 'sketchpad' });
const keys = await (await fetch(`${latchkey.url}/.well-known/jwks.json`)).text();
const [gates, desktop] = [await readMarkdown('docs/gates.md'), await readMarkdown('docs/desktop.md')];
const env = {
  ...process.env,
  NO_PROXY: '127.0.0.1',
  SKETCHPAD_LICENSE_KEY: licenseKey,
  XDG_CONFIG_HOME: join(work, 'config'),
  XDG_DATA_HOME: join(work, 'data'),
};

/** The sample in a language, which asks the service of this test for the license of this test. */
function sample(language: string, document = desktop): string {
  const [text = ''] = document.codeBlocks(language);
  return text.replace('https://licenses.example', latchkey.url).replace('LK-EXAMPLE-KEY', licenseKey);
}

async function run(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
  return stdout.trim();
}

async function python(name: string, program: string): Promise<() => Promise<string>> {
  const folder = join(work, name);
  await cp(fileOf('gates/python'), folder, { recursive: true });
  await writeFile(join(folder, 'keys.json'), keys);
  await writeFile(join(folder, 'main.py'), program);
  return () => run(folder, fileOf('node_modules/.cache/gates/python/venv/bin/python'), '-B', 'main.py');
}

async function go(): Promise<() => Promise<string>> {
  const folder = join(work, 'go');
  await mkdir(folder);
  await cp(fileOf('gates/go'), join(folder, 'gate'), { recursive: true });
  await writeFile(join(folder, 'go.mod'), 'module sketchpad.example\n\ngo 1.25.0\n');
  await writeFile(join(folder, 'keys.json'), keys);
  await writeFile(join(folder, 'license.go'), sample('go'));
  await writeFile(join(folder, 'main.go'), printsInGo);
  await run(folder, 'go', 'vet', '.');
  await run(folder, 'go', 'build', '-o', 'app', '.');
  return () => run(folder, join(folder, 'app'));
}

const programs = {
  'docs/gates.md in python': await python('gates', `${sample('python', gates)}\nprint(check.verdict, check.source)`),
  'docs/desktop.md in python': await python('desktop', `${inMemory}${sample('python')}${printsInPython}`),
  'docs/desktop.md in go': await go(),
};
const said: Record<string, string[]> = {};
for (const [name, program] of Object.entries(programs)) said[name] = [await program()];
await latchkey.stop();
for (const [name, program] of Object.entries(programs)) said[name]?.push(await program());
await rm(work, { recursive: true });

for (const [name, lines] of Object.entries(said)) {
  const isRight = /(?:^|\n)valid online(?: <nil>)?, then (?:.*\n)?valid receipt(?: <nil>)?$/.test(
    lines.join(', then '),
  );
  console.log(`${name}: ${lines.join(', then ')}${isRight ? '' : ' is wrong'}`);
  if (!isRight) process.exitCode = 1;
}

const [, byUreq = 'missing'] = desktop.codeBlocks('rust');
if (!(await readFile(fileOf('test/gates/rust/src/main.rs'), 'utf8')).includes(byUreq)) {
  console.log('docs/desktop.md in rust: the function by_ureq is not that of test/gates/rust');
  process.exitCode = 1;
}
