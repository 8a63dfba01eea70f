import type { RequestHandler } from 'express';
import type { OwedAnswers } from './owed-answers.js';

/**
 * Most requests of one connection that wait for their answers. Clients that send requests ahead of the
 * answers have a few, if they do so at all.
 */
const MOST_WAITING = 100;

/**
 * Creates middleware that cuts a connection on which more requests wait for their answers than that. Node.js
 * reads all requests of a segment, some 1,800 in 64 KiB, before it serves any other connection. What comes
 * behind an answer that ends its connection is not served: its client would not learn what became of it.
 */
export function boundedPipeline(answers: OwedAnswers, most = MOST_WAITING): RequestHandler {
  return ({ socket }, _response, next) => {
    // Nobody would get an answer.
    if (socket.destroyed || answers.isEnding(socket)) return;
    if (answers.on(socket).size > most) socket.destroy();
    else next();
  };
}
