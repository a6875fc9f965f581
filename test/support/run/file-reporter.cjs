// Reports one file of a parallel run, in the process that runs it: failures at once, every ten seconds that it still runs,
// and at its end how long it took, and how much CPU. mocha itself hands over the results when the file has ended.
const { readFileSync } = require('node:fs');
const { Runner } = require('mocha');
const ParallelBuffered = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs');
const { SerializableEvent } = require('mocha/lib/nodejs/serializer.js');
const { failureText, log, pathOf } = require('./results-reporter.cjs');

const { EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_TEST_FAIL } = Runner.constants;

class FileReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options);
    const begin = performance.now();
    const seconds = () => (performance.now() - begin) / 1000;
    const beforehand = cpuSeconds();
    let file = '';
    const timer = setInterval(() => {
      log(`running for ${seconds().toFixed(0)} s: ${pathOf(file)}`);
    }, 10_000).unref();
    runner.once(EVENT_RUN_BEGIN, () => (file = (runner.suite.tests[0] ?? runner.suite.suites[0])?.file ?? ''));
    runner.on(EVENT_TEST_FAIL, (test, error) => log(failureText(test, error)));
    runner.prependOnceListener(EVENT_RUN_END, () => {
      clearInterval(timer);
      const ended = { file, tests: runner.stats.tests, seconds: seconds(), cpu: cpuSeconds() - beforehand };
      this.events.push(SerializableEvent.create('file end', ended));
    });
  }
}

/** Seconds of CPU that this process has used, and on Linux its processes that have ended. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + cpuSecondsOfEnded();
}

/** From proc_pid_stat(5), in ticks of which a second has 100. */
function cpuSecondsOfEnded() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The name of the program before these fields may contain a space.
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(14, 16);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}

module.exports = FileReporter;
