// Builds the bytes of requests, also of those that an HTTP client refuses to send.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const JSON_TYPE = 'application/json';

/**
 * @param options.headers pairs of names and values, so that a name can be repeated
 * @param options.body a value that is sent as JSON, or bytes that are sent as they are
 * @param options.encoding `br` or `gzip` compresses the body
 */
export function request(method, path, { token, headers = [], body, type = JSON_TYPE, encoding } = {}) {
  const plain = body === undefined ? undefined : bytesOf(body);
  const sent = plain === undefined ? undefined : compress(plain, encoding);
  const lines = [
    ['Host', 'localhost'],
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`]]),
    ...(sent === undefined
      ? []
      : [
          ['Content-Type', type],
          ['Content-Length', String(sent.length)],
        ]),
    ...(encoding === undefined ? [] : [['Content-Encoding', encoding]]),
    ...headers,
  ];
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), ...(sent === undefined ? [] : [sent])]);
}

function bytesOf(body) {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function compress(bytes, encoding) {
  if (encoding === 'gzip') return gzipSync(bytes, { level: 9 });
  if (encoding !== 'br') return bytes;
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}
