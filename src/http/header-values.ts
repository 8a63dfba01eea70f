import type { IncomingMessage } from 'node:http';

/**
 * Returns all values of a header, in the order in which they were sent. Of a header that may be sent once,
 * `headers` has only the first.
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] ?? '';
    // Most names have another length, so that few have to be written in lower case.
    if (each.length === name.length && each.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
