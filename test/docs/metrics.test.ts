import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { populatedServices } from '../support/http/service-hooks.ts';

describe('the documents about metrics', () => {
  const start = populatedServices();
  let served: readonly string[];
  beforeEach(async () => {
    const service = await start({ adminPort: 0 });
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    served = matches(text, /^# TYPE (\w+) \w+$/gm);
  });

  it('name metrics that there are', async () => {
    for (const name of ['grafana-dashboard.json', 'prometheus-alerts.yml', 'metrics.md']) {
      const missing = (await metricsIn(name)).filter((metric) => !served.includes(metric));
      expect([name, missing]).to.deep.equal([name, []]);
    }
  });

  it('show each of our metrics in the dashboard, and explain it', async () => {
    for (const name of ['grafana-dashboard.json', 'metrics.md']) {
      const shown = await metricsIn(name);
      const missing = served.filter((metric) => metric.startsWith('latchkey_') && !shown.includes(metric));
      expect([name, missing]).to.deep.equal([name, []]);
    }
  });

  it('explain and test every alert, with its severity', async () => {
    const rules = await document('prometheus-alerts.yml');
    const severities = matches(rules, /severity: (\w+)$/gm);
    const alerts = matches(rules, /- alert: (\w+)$/gm).map((alert, rule) => `| \`${alert}\` | ${severities[rule]} |`);
    const explained = matches(await document('metrics.md'), /^(\| `Latchkey\w+` \| \w+ \|)/gm);
    expect(explained.toSorted()).to.deep.equal(alerts.toSorted());
    const tests = await document('../test/promtool/alerts.yml');
    const fired = matches(tests, /alertname: (\w+)\n\s+exp_alerts:/g).map((alert) => `| \`${alert}\` |`);
    expect(alerts.filter((alert) => !fired.some((name) => alert.startsWith(name)))).to.deep.equal([]);
  });
});

function document(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The metrics that a document names. A histogram has three series, which are named after it. */
async function metricsIn(name: string): Promise<readonly string[]> {
  const named = matches(await document(name), /\b((?:latchkey|nodejs)_\w*[a-z])\b/g);
  return [...new Set(named.map((metric) => metric.replace(/_(bucket|sum|count)$/, '')))];
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group);
}
