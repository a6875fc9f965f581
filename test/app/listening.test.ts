import { createServer } from 'node:http';
import { expect } from 'chai';
import { closeServer, listen } from '../../app/listening.ts';

const address = { host: '127.0.0.1', port: 0 };

describe('listening', () => {
  it('fails where it cannot begin', async () => {
    const [first, second] = [createServer(), createServer()];
    const heard: Error[] = [];
    const { port } = new URL(await listen(first, address, (error) => heard.push(error)));
    const taken = listen(second, { ...address, port: Number(port) }, (error) => heard.push(error));
    const outcome = await taken.then(
      () => 'listens',
      ({ code }: NodeJS.ErrnoException) => code,
    );
    await closeServer(first, 0);
    expect([outcome, heard]).to.deep.equal(['EADDRINUSE', []]);
  });

  it('goes on after every later error, and says what it was', async () => {
    const server = createServer();
    const heard: string[] = [];
    await listen(server, address, ({ message }) => heard.push(message));
    server.emit('error', new Error('accept EMFILE'));
    server.emit('error', new Error('accept ENFILE'));
    await closeServer(server, 0);
    expect(heard).to.deep.equal(['accept EMFILE', 'accept ENFILE']);
  });
});
