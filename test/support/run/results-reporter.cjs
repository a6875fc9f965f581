// The dot reporter, which also writes the totals to the file named by MOCHA_RESULTS, for .ci/run.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

class ResultsReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const file = process.env.MOCHA_RESULTS;
      if (file === undefined) return;
      const { passes, failures } = this.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures }));
    });
  }
}

module.exports = ResultsReporter;
