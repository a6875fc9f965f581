import { spawnSync } from 'node:child_process';

/** `npm test`: mocha with its own options, and `--without mongodb`, which leaves out all that needs a MongoDB. */
const options = process.argv.slice(2);
const at = options.indexOf('--without');
const [, without] = at === -1 ? [] : options.splice(at, 2);
if (at !== -1 && without !== 'mongodb') throw new Error('Only this can be left out: --without mongodb');

const warning = 'WITHOUT MONGODB: nothing is shown about the service on that store.';
const left = without === undefined ? [] : ['--ignore', 'test/adapters/mongo/**'];
if (without !== undefined) console.error(warning);
const { status } = spawnSync('mocha', [...left, ...options], {
  stdio: 'inherit',
  env: { ...process.env, ...(without !== undefined && { TEST_WITHOUT: without }) },
});
if (without !== undefined) console.error(warning);
process.exitCode = status ?? 1;
