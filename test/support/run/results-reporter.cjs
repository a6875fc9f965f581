// Reports each file as it ends, failures with the command that runs their test alone, and the totals. Also writes the
// totals, and what failed and why, to the file named by MOCHA_RESULTS, for .ci/run.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { inspect } = require('node:util');
const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_PASS, EVENT_TEST_FAIL } = Runner.constants;
// A test may be in another folder, and read what a program writes to the console, while something is reported.
const root = process.cwd();
const { log } = console;

class ResultsReporter extends reporters.Base {
  #files = 0;

  constructor(runner, options) {
    super(runner, options);
    if (runner.isParallelMode()) {
      runner.workerReporter(path.join(__dirname, 'file-reporter.cjs'));
      runner.on('file end', (ended) => this.#reportFile(ended));
    } else {
      runner.on(EVENT_TEST_PASS, () => process.stdout.write('.'));
      runner.on(EVENT_TEST_FAIL, (test, error) => log(`\n${failureText(test, error)}`));
    }
    runner.once(EVENT_RUN_END, () => this.#reportAll());
  }

  #reportFile({ file, tests, seconds, cpu }) {
    this.#files += 1;
    const all = process.env.TEST_FILES;
    const done = all === undefined ? this.#files : `${String(this.#files).padStart(all.length)}/${all}`;
    log(`${done}  ${pathOf(file)}  ${tests} tests, ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s`);
  }

  #reportAll() {
    this.epilogue();
    for (const test of this.failures) log(`To run it alone: ${commandFor(test)}`);
    const file = process.env.MOCHA_RESULTS;
    if (file === undefined) return;
    const { passes, failures } = this.stats;
    const failed = this.failures.map((test) => `${test.fullTitle()}: ${String(test.err?.message).slice(0, 1000)}`);
    writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, failures: failed }));
  }
}

function pathOf(file) {
  return path.relative(root, file);
}

/** What failed, why, and how to run it alone. */
function failureText(test, error) {
  return `FAILED: ${test.fullTitle()}\n${error?.stack ?? error}\n${causeText(error?.cause)}To run it alone: ${commandFor(test)}\n`;
}

function causeText(cause) {
  return cause === undefined ? '' : `Cause: ${inspect(cause)}\n`;
}

function commandFor(test) {
  // A hook has the name of a test that it ran for, which `--grep` would not find.
  const grep = test.type === 'hook' ? '' : ` --fgrep '${test.fullTitle().replaceAll("'", `'\\''`)}'`;
  return `npm test -- ${pathOf(test.file ?? '')}${grep}`;
}

module.exports = ResultsReporter;
Object.assign(module.exports, { failureText, log, pathOf });
