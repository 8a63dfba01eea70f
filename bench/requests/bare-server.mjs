// The contacts on node:http and pg alone: /<account>/contacts and /<account>/contacts/<id>.
import { createServer } from 'node:http';
import { announce, create, find, list, update } from './contacts.mjs';

function answer({ method, url }, body) {
  const [, account, , id] = url.split('/');
  if (method === 'GET') return id === undefined ? list(account) : find(account, id);
  const sent = JSON.parse(body);
  return id === undefined ? create(account, sent) : update(account, id, sent);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    answer(request, Buffer.concat(chunks).toString()).then(
      (value) => {
        const text = JSON.stringify(value);
        response
          .setHeader('Content-Type', 'application/json')
          .setHeader('Content-Length', Buffer.byteLength(text));
        response.end(text);
      },
      (error) => response.writeHead(500).end(error.message),
    );
  });
});
server.listen(0, '127.0.0.1', () => announce(server));
