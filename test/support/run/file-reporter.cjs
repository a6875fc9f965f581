// Reports one file of a parallel run, in the process that runs it: failures at once, every ten seconds that it still runs,
// and at its end how long it took. mocha itself hands over the results when the file has ended.
const path = require('node:path');
const { Runner } = require('mocha');
const ParallelBuffered = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs');
const { SerializableEvent } = require('mocha/lib/nodejs/serializer.js');
const { failureText } = require('./results-reporter.cjs');

const { EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_TEST_FAIL } = Runner.constants;

class FileReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options);
    const begin = performance.now();
    const seconds = () => (performance.now() - begin) / 1000;
    let file = '';
    const timer = setInterval(() => {
      console.log(`running for ${seconds().toFixed(0)} s: ${path.relative(process.cwd(), file)}`);
    }, 10_000).unref();
    runner.once(EVENT_RUN_BEGIN, () => (file = (runner.suite.tests[0] ?? runner.suite.suites[0])?.file ?? ''));
    runner.on(EVENT_TEST_FAIL, (test, error) => console.log(failureText(test, error)));
    runner.prependOnceListener(EVENT_RUN_END, () => {
      clearInterval(timer);
      const ended = { file, tests: runner.stats.tests, seconds: seconds() };
      this.events.push(SerializableEvent.create('file end', ended));
    });
  }
}

module.exports = FileReporter;
