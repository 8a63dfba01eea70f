// Sends one HTTP request.
import { request } from 'node:http';

/**
 * @param agent keeps the connection
 * @param options.timeout milliseconds for the whole answer
 * @param options.key an Idempotency-Key
 * @returns { status, headers, body } or { error }: the code of a socket's error, or `TIMEOUT`
 */
export function ask(agent, url, { method = 'GET', token, json, key, timeout = 16_000 } = {}) {
  const payload = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve) => {
    const sent = request(url, { method, agent, headers });
    const finish = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      finish({ error: 'TIMEOUT' });
      sent.destroy();
    }, timeout);
    sent.on('error', ({ code }) => finish({ error: code ?? 'ERROR' }));
    sent.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', ({ code }) => finish({ error: code ?? 'ERROR' }));
      response.on('end', () => {
        const { statusCode: status, headers: received } = response;
        finish({ status, headers: received, body: parsed(Buffer.concat(chunks).toString()) });
      });
    });
    sent.end(payload);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
