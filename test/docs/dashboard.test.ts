import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { populatedServices } from '../support/http/service-hooks.ts';

const dashboard = new URL('../../docs/grafana-dashboard.json', import.meta.url);

describe('the Grafana dashboard', () => {
  const start = populatedServices();
  it('asks for metrics that there are, and for each of ours', async () => {
    const service = await start({ adminPort: 0 });
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '']) => name);
    const content = await readFile(dashboard, 'utf8');
    const asked = [...content.matchAll(/\b(?:latchkey|nodejs)_\w+/g)].map(([name]) => name);
    const named = new Set(asked.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...named].filter((name) => !served.includes(name))).to.deep.equal([]);
    expect(served.filter((name) => name.startsWith('latchkey_') && !named.has(name))).to.deep.equal([]);
  });
});
