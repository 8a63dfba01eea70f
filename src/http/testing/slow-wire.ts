import { Duplex } from 'node:stream';

/**
 * The server's side of a connection whose client reads when a test says so, and whose system keeps nothing of
 * what is not read. What a real system keeps, and when it takes more, differs from one to the next.
 */
export class SlowWire extends Duplex {
  /** What Node.js has for a socket. */
  readonly _handle = {
    bytesWritten: 0,
    writeQueueSize: 0,
    readStart: (): void => undefined,
    readStop: (): void => undefined,
  };
  /** What is being written: its size, and what is to be called when all of it is read. */
  private written: { readonly bytes: number; readonly done: () => void } | undefined;

  /** All bytes given to it, as a socket counts them. */
  get bytesWritten(): number {
    return this._handle.bytesWritten + this.writableLength - (this.written?.bytes ?? 0);
  }

  /** Reads so many bytes, or all that there are. */
  async readBytes(bytes: number): Promise<void> {
    for (let left = bytes; left > 0 && this._handle.writeQueueSize > 0;) {
      const part = Math.min(left, this._handle.writeQueueSize);
      left -= part;
      this._handle.writeQueueSize -= part;
      if (this._handle.writeQueueSize > 0) continue;
      this.written?.done();
      // What comes next is written meanwhile.
      await new Promise(setImmediate);
    }
  }

  override _read(): void {
    // A test pushes what the client sends.
  }

  override _write({ length }: Buffer, _: BufferEncoding, done: () => void): void {
    this._handle.bytesWritten += length;
    this._handle.writeQueueSize = length;
    this.written = { bytes: length, done: () => ((this.written = undefined), done()) };
  }
}
