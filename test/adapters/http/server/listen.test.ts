import { createServer } from 'node:http';
import { expect } from 'chai';
import { closeServer, listen, UnusableAddress } from '../../../../adapters/http/server/listen.ts';
import { thrownBy } from '../../../support/thrown.ts';

const address = { host: '127.0.0.1', port: 0, flag: '--port' };

describe('listening', () => {
  it('fails if the address cannot be used', async () => {
    const [first, second] = [createServer(), createServer()];
    const heard: Error[] = [];
    const port = Number(new URL(await listen(first, address, (error) => heard.push(error))).port);
    for (const [place, message] of [
      [{ ...address, port }, `Port ${port} of 127.0.0.1 is in use: choose another with --port.`],
      [{ ...address, host: '192.0.2.1' }, '192.0.2.1 is not an address of this machine: choose another with --host.'],
      [{ ...address, host: 'h.invalid' }, 'The host name h.invalid is unknown: choose another with --host.'],
    ] as const) {
      const error = await thrownBy(listen(second, place, (later) => heard.push(later)));
      expect(error).to.be.instanceOf(UnusableAddress).with.property('message', message);
    }
    await closeServer(first, 0);
    expect(heard).to.deep.equal([]);
  });

  it('throws what it does not expect as it is', async () => {
    const [server, fault] = [createServer(), new Error('no such thing')];
    server.listen = () => {
      server.emit('error', fault);
      return server;
    };
    expect(await thrownBy(listen(server, address, () => undefined))).to.equal(fault);
  });

  it('continues after every later error, and reports it', async () => {
    const server = createServer();
    const heard: string[] = [];
    await listen(server, address, ({ message }) => heard.push(message));
    server.emit('error', new Error('accept EMFILE'));
    server.emit('error', new Error('accept ENFILE'));
    await closeServer(server, 0);
    expect(heard).to.deep.equal(['accept EMFILE', 'accept ENFILE']);
  });
});
