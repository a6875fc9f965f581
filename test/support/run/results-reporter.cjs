// The dot reporter, which also writes the totals, and what failed and why, to the file named by MOCHA_RESULTS, for .ci/run.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

class ResultsReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const file = process.env.MOCHA_RESULTS;
      if (file === undefined) return;
      const { passes, failures } = this.stats;
      const failed = this.failures.map((test) => `${test.fullTitle()}: ${String(test.err?.message).slice(0, 1000)}`);
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, failures: failed }));
    });
  }
}

module.exports = ResultsReporter;
