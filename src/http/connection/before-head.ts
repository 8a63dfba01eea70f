import type { ServerResponse } from 'node:http';

/** Calls `work` each time before the head of an answer is written: it may still change the head. */
export function beforeHead(response: ServerResponse, work: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  response.writeHead = (...values: unknown[]): ServerResponse => {
    work();
    return writeHead(...values);
  };
}
