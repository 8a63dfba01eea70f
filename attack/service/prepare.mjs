// Prepares what the requests refer to.
import { request } from '../wire/request.mjs';
import { LONG_FIELDS, TEXT_FIELDS } from './configuration.mjs';

/** Sends JSON and returns the parsed answer. */
export async function send(service, { method, path, token, body }) {
  const answer = await service.ask(request(method, path, { token, body }));
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body.subarray(0, 500)}`);
  return JSON.parse(answer.body);
}

/** Creates a record for each account, the largest records that there can be, and finds the routers. */
export async function prepare(service, fatRecords) {
  const { attacker, victim } = service;
  const create = ({ token }, fields) =>
    send(service, { method: 'POST', path: '/contacts', token, body: { fields } });
  const [own, foreign] = await Promise.all(
    [attacker, victim].map((who) => create(who, { first_name: 'Plain' })),
  );
  const { data } = await send(service, { method: 'GET', path: '/routers?limit=100', token: attacker.token });
  const routers = Object.fromEntries(data.map(({ name, id }) => [name, id]));
  const fat = [];
  for (let n = 0; n < fatRecords; n++) fat.push((await create(attacker, fatFields(n))).id);
  return { record: own.id, victimRecord: foreign.id, routers, fat };
}

/** Fields of about 64 KiB in all, and long ones of 256 KiB each, of characters of three bytes. */
export function fatFields(n) {
  const wide = (bytes) => '\u6587'.repeat(Math.floor(bytes / 3));
  return {
    first_name: `Fat ${n}`,
    ...Object.fromEntries(TEXT_FIELDS.slice(0, 3).map((name) => [name, wide(16_000)])),
    ...Object.fromEntries(LONG_FIELDS.map((name) => [name, wide(256_000)])),
  };
}
