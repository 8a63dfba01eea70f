import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { oneAtATime } from './one-at-a-time.js';

let server: Server;
const sockets: Socket[] = [];

async function listen(handle: RequestListener): Promise<void> {
  server = createServer(oneAtATime(handle));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

const requests = (paths: readonly string[]): string =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

function open(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** Waits for as many answers. @returns their bodies */
async function answers(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  for (;;) {
    const bodies = text.match(/\/\w+;/g) ?? [];
    if (bodies.length >= count) return bodies;
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
  }
}

describe('The requests of one connection', () => {
  it('are handled one after the other, and answered in their order', async () => {
    let present = 0;
    let most = 0;
    await listen(({ url }, response) => {
      most = Math.max(most, ++present);
      setImmediate(() => {
        present--;
        response.end(`${url!};`);
      });
    });
    const socket = open();
    const paths = Array.from({ length: 300 }, (_, index) => `/a${index}`);
    socket.write(requests(paths));
    expect(await answers(socket, 300)).toEqual(paths.map((path) => `${path};`));
    expect(most).toBe(1);
  });

  it('let those of others come in between', async () => {
    const handled: string[] = [];
    await listen(({ url }, response) => {
      handled.push(url!);
      response.end(`${url!};`);
    });
    const [many, other] = [open(), open()];
    await Promise.all([once(many, 'connect'), once(other, 'connect')]);
    many.write(requests(Array.from({ length: 1_500 }, (_, index) => `/a${index}`)));
    await answers(many, 1);
    other.write(requests(['/b']));
    await answers(other, 1);
    expect(handled.indexOf('/b')).toBeLessThan(1_400);
    await answers(many, 1_000);
  });

  it('go on after a client has gone in the middle of one', async () => {
    const handled: string[] = [];
    await listen(({ url }, response) => {
      handled.push(url!);
      if (url === '/ok') response.end('/ok;');
    });
    const gone = open();
    gone.write(requests(['/a', '/b']));
    while (handled.length === 0) await new Promise(setImmediate);
    gone.destroy();
    const other = open();
    other.write(requests(['/ok']));
    expect(await answers(other, 1)).toEqual(['/ok;']);
    expect(handled).toEqual(['/a', '/ok']);
  });
});
