import { request, type ClientRequest, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer of the service, with its body as it came. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body, or its text where it is no JSON; undefined for an empty one. */
  readonly body: any;
  readonly text: string;
}

/** @param send sends the body, if any, and ends the request */
export function sendRequest(
  options: RequestOptions,
  send: (outgoing: ClientRequest) => void,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      const headers = new Headers(incoming.headers as Record<string, string>);
      buffer(incoming).then((read) => {
        const text = read.toString();
        resolve({ status: incoming.statusCode!, headers, text, body: parse(text) });
      }, reject);
    });
    outgoing.on('error', reject);
    send(outgoing);
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
