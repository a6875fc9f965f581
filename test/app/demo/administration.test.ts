import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { runScript } from '../../support/documents/shell.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';

describe('the administration in the demo', () => {
  it('answers the requests that the demo prints, and their repeats', async () => {
    const child = startNode([programPath, 'demo', '--port', '0', '--log-format', 'json'], { env: process.env });
    const ended = once(child, 'close');
    child.stderr.resume();
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line.includes('/app-keys ')) break;
    }
    try {
      const requests = lines.filter((line) => line.includes('/admin/'));
      const statuses: string[][] = [];
      for (const request of requests) {
        const status = (): Promise<string> => runScript(`${request} -o /dev/null -w '%{http_code}'`);
        statuses.push([await status(), await status()]);
      }
      const changed = ['200', '200'];
      expect(statuses).to.deep.equal([
        ['201', '200'],
        changed,
        changed,
        changed,
        changed,
        changed,
        changed,
        ['201', '200'],
      ]);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
