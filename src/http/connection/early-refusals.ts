import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode, newId } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { errorBody } from '../errors/error-body.js';
import { assignRequestId } from '../middleware.js';
import { countOwedAnswers, owedOn } from './owed-answers.js';

const MALFORMED = new DomainError('invalid_request', 'The request is not valid HTTP');

/** What Node.js refuses before there is a request, by the code of its error. */
const REFUSALS: Readonly<Record<string, DomainError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError('invalid_request', 'The request was not sent in time', {
    status: 408,
  }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new DomainError(
    'too_large',
    'The chunk extensions of the body are too large',
  ),
  HPE_HEADER_OVERFLOW: new DomainError(
    'too_large',
    'The path and the headers are larger than 16384 bytes together',
    { status: 431 },
  ),
};

const UNKNOWN_EXPECTATION = new DomainError(
  'invalid_request',
  'The only expectation that is met is 100-continue',
  { status: 417 },
);

/**
 * Answers what Node.js refuses before the application is asked with the error object and a request id (clause
 * 2.9, contract section 1). Node.js alone answers without a body.
 */
export function answerEarlyRefusals(server: Server): void {
  countOwedAnswers(server);
  server.on('clientError', (error: Error, socket: Duplex) => {
    // The client would take the refusal for the answer that it waits for, or for a part of it.
    const isFree = [...owedOn(socket)].every((each) => each.writableFinished);
    if (socket.writable && isFree && errorCode(error) !== 'ECONNRESET') {
      socket.write(rawAnswer(REFUSALS[errorCode(error) ?? ''] ?? MALFORMED));
    }
    socket.destroy();
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = assignRequestId(request, response);
    const body = JSON.stringify(errorBody(UNKNOWN_EXPECTATION, id));
    response.writeHead(UNKNOWN_EXPECTATION.status, headersOf(body));
    response.end(body);
  });
}

function rawAnswer(error: DomainError): string {
  const id = newId();
  const body = JSON.stringify(errorBody(error, id));
  const headers = Object.entries({ 'X-Request-Id': id, ...headersOf(body) });
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

function headersOf(body: string): Record<string, string | number> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
}
