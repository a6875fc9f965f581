import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { expect } from 'chai';
import { MergedMetrics, type Readings } from '../../../adapters/metrics/merged-metrics.ts';

/** The readings of a process that has served some requests, each of them in `seconds`. */
function processAfter(requests: number, { seconds = 0.2, age = 1 } = {}): Promise<Readings> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'h', labelNames: ['operation'], registers }).inc(
    { operation: 'a' },
    requests,
  );
  const duration = new Histogram({ name: 'duration_seconds', help: 'h', buckets: [0.1, 1], registers });
  for (let left = requests; left > 0; left -= 1) duration.observe(seconds);
  new Gauge({ name: 'held', help: 'h', registers }).set(requests);
  new Gauge({ name: 'age_seconds', help: 'h', registers, aggregator: 'max' }).set(age);
  new Gauge({ name: 'nodejs_eventloop_lag_p99_seconds', help: 'h', registers, aggregator: 'average' }).set(seconds);
  new Gauge({ name: 'process_start_time_seconds', help: 'h', registers, aggregator: 'omit' }).set(age);
  return registry.getMetricsAsJSON();
}

const valuesIn = (text: string): readonly string[] => text.split('\n').filter((line) => /^[a-z]/.test(line));

describe('merged metrics', () => {
  it('sum what is counted and held, and show the worst of what is measured', async () => {
    const processes = [await processAfter(2, { age: 5 }), await processAfter(1, { seconds: 0.05, age: 7 })];
    expect(valuesIn(await new MergedMetrics().text(async () => processes))).to.deep.equal([
      'requests_total{operation="a"} 3',
      'duration_seconds_bucket{le="0.1"} 1',
      'duration_seconds_bucket{le="1"} 3',
      'duration_seconds_bucket{le="+Inf"} 3',
      'duration_seconds_sum 0.45',
      'duration_seconds_count 3',
      'held 3',
      'age_seconds 7',
      'nodejs_eventloop_lag_p99_seconds 0.2',
      'process_start_time_seconds 5',
    ]);
  });

  it('never count less after a process has ended, nor what it held', async () => {
    const merged = new MergedMetrics();
    merged.keep(await processAfter(2));
    merged.keep(await processAfter(3));
    const values = valuesIn(await merged.text(async () => [await processAfter(1)]));
    expect(values).to.include.members(['requests_total{operation="a"} 6', 'duration_seconds_count 6', 'held 1']);
  });

  it('count a process once that ends while others are read', async () => {
    const merged = new MergedMetrics();
    const ending = await processAfter(2);
    const text = await merged.text(async () => {
      merged.keep(ending);
      return [await processAfter(1), ending];
    });
    expect(valuesIn(text)).to.include('requests_total{operation="a"} 3');
  });
});
