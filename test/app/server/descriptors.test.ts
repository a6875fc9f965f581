import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { withUtilities } from '../../support/processes/utilities.ts';
import { range } from '../../support/range.ts';
import { outputs } from '../../support/run/output-search.ts';

const exhausted = /^no further file can be opened/;

describe('a server that may open no further file', () => {
  it('says so once, and serves again when it may', async () => {
    const args = [programPath, 'serve', '--store', 'memory:', '--port', '0'];
    const limited = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, ...args];
    const server = spawn('sh', limited, { env: withUtilities(process.env), stdio: 'pipe' });
    outputs.watch(server, args);
    const lines: Record<string, unknown>[] = [];
    createInterface({ input: server.stderr }).on('line', (line) => lines.push(JSON.parse(line)));
    const logged = (message: RegExp): readonly Record<string, unknown>[] =>
      lines.filter((line) => message.test(String(line['message'])));
    const countOf = (message: RegExp, count: number): Promise<number> =>
      eventually(
        async () => logged(message).length,
        (length) => length >= count,
      );
    try {
      expect(await countOf(/^serving$/, 1)).to.equal(1);
      const { port } = new URL(String(logged(/^serving$/)[0]?.['address']));
      const clients = range(100).map(() => connect({ host: '127.0.0.1', port: Number(port) }).on('error', () => {}));
      expect(await countOf(exhausted, 1)).to.equal(1);
      for (const client of clients) client.destroy();
      const isLive = async (): Promise<boolean> => {
        const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
        return answer?.ok === true;
      };
      expect(await eventually(isLive, Boolean)).to.equal(true);
      expect(logged(exhausted)).to.have.lengthOf(1);
      expect(logged(exhausted)[0]).to.include({ level: 'error' });
      expect(logged(exhausted)[0]?.['err']).to.include({ code: 'EMFILE' });
    } finally {
      server.kill('SIGKILL');
      await once(server, 'close');
    }
  });
});
