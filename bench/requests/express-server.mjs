// The contacts on Express and pg: the routes of bare-server.mjs.
import express from 'express';
import { announce, create, find, list, update } from './contacts.mjs';

const app = express();
app.use(express.json());
app.get('/:account/contacts', async ({ params }, response) => response.json(await list(params.account)));
app.get('/:account/contacts/:id', async ({ params }, response) =>
  response.json(await find(params.account, params.id)),
);
app.post('/:account/contacts', async ({ params, body }, response) =>
  response.json(await create(params.account, body)),
);
app.patch('/:account/contacts/:id', async ({ params, body }, response) =>
  response.json(await update(params.account, params.id, body)),
);
const server = app.listen(0, '127.0.0.1', () => announce(server));
