import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { OwedAnswers } from './owed-answers.js';
import { UnreadConnection } from './unread-connection.js';

/** Bytes of an answer that a connection may leave unread without being watched. */
const UNWATCHED = 16 * 1024;

/** Milliseconds between two looks at the watched connections. */
const INTERVAL = 50;

/**
 * How many looks in a row find that nothing was read before a connection may be cut: 250 ms where nothing was
 * read at all, two seconds for a client that has read something. The system takes more only when a part of
 * what it keeps is read, so that one that reads slowly seems to pause. Looks are counted, and not time,
 * because a process that is busy for as long sends nothing to those that read.
 */
const IDLE_LOOKS = { never: 5, pausing: 40 } as const;

/** Milliseconds that a client has for reading an answer, however slowly, before its connection may be cut. */
const GRACE = 2_000;

/** Most bytes of answers that clients may leave unread, all connections together. */
export interface UnreadBounds {
  /** Beyond it, those are cut that do not read. */
  readonly idle: number;
  /** Beyond it, those are cut that read slowly. */
  readonly slow: number;
}

/**
 * Middleware that bounds the memory of answers that clients have not read yet. While it is more than `idle`,
 * the connections on which nothing was read are cut after 250 ms, or two seconds after the last was read,
 * that with the most unsent bytes first. While those that have been read for two seconds and more hold more
 * than `slow` by themselves, the oldest of them are cut.
 */
export function unreadAnswers(answers: OwedAnswers, { idle, slow }: UnreadBounds): RequestHandler {
  /** The oldest first. */
  const watched = new Map<Socket, UnreadConnection>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const connections = [...watched.values()];
    for (const connection of connections) connection.look();
    cutIdle(connections, idle);
    cutSlow(connections, slow);
    for (const [socket, connection] of watched) if (connection.isOver()) watched.delete(socket);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const watch = (socket: Socket): void => {
    // An answer that waits for no other one starts anew.
    if (answers.on(socket).size <= 1) watched.delete(socket);
    if (!watched.has(socket)) watched.set(socket, new UnreadConnection(socket, answers));
    timer ??= setInterval(look, INTERVAL).unref();
  };
  return ({ socket }, response, next) => {
    response.once('prefinish', () => {
      if (socket.writableLength > UNWATCHED) watch(socket);
    });
    next();
  };
}

function cutIdle(connections: readonly UnreadConnection[], most: number): void {
  const total = heldBy(connections);
  if (total <= most) return;
  const idle = connections.filter(
    ({ idleLooks, hasRead }) => idleLooks >= IDLE_LOOKS[hasRead ? 'pausing' : 'never'],
  );
  idle.sort((one, other) => other.unsent - one.unsent);
  cut(idle, total - most);
}

/** The younger ones are not counted: many of them together would make one be cut that reads. */
function cutSlow(connections: readonly UnreadConnection[], most: number): void {
  const slow = connections.filter(({ since }) => since <= performance.now() - GRACE);
  cut(slow, heldBy(slow) - most);
}

/** Cuts connections in their order until so many bytes are free. */
function cut(connections: readonly UnreadConnection[], excess: number): void {
  for (const connection of connections) {
    if (excess <= 0) return;
    excess -= connection.held;
    connection.cut();
  }
}

function heldBy(connections: readonly UnreadConnection[]): number {
  return connections.reduce((total, { held }) => total + held, 0);
}
