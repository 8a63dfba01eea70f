/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark.
 * @throws Error for other bytes: nothing tells what they mean
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error('It is not in UTF-8. Is it Windows-1252? Save it as UTF-8', { cause: error });
  }
}
