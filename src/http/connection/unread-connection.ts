import type { Socket } from 'node:net';
import type { OwedAnswers } from './owed-answers.js';
import { unsentBytes } from './unsent-bytes.js';

/** A connection whose client has not read all that was answered, as it was at the last look. */
export class UnreadConnection {
  /** By the clock of `performance`. */
  readonly since = performance.now();
  /** Bytes of answers that the process holds for it. */
  held = 0;
  /** Bytes that the system has not taken. */
  unsent = 0;
  /** How many looks in a row found that nothing was read. */
  idleLooks = 0;
  /** Whether something was read since it is watched. */
  hasRead = false;

  constructor(
    private readonly socket: Socket,
    private readonly answers: OwedAnswers,
  ) {
    this.measure();
  }

  look(): void {
    const before = this.unsent;
    this.measure();
    this.hasRead ||= this.unsent < before;
    this.idleLooks = this.unsent > 0 && this.unsent >= before ? this.idleLooks + 1 : 0;
  }

  /** Whether nothing is left to be read. */
  isOver(): boolean {
    return this.socket.destroyed || this.held === 0;
  }

  cut(): void {
    this.socket.destroy();
    this.held = 0;
  }

  private measure(): void {
    const { socket } = this;
    this.unsent = unsentBytes(socket);
    this.held = socket.writableLength;
    // Answers behind the one that is being sent have no socket yet.
    for (const answer of this.answers.on(socket)) {
      this.held += answer.writableLength - (answer.socket === null ? 0 : socket.writableLength);
    }
  }
}
