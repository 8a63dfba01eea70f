import type { RequestHandler } from 'express';

/**
 * Joins middleware into one, which runs them in their order. Express does more for each middleware than most
 * of these do.
 */
export function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let index = 0;
    const step = (error?: unknown): void => {
      const handler = error === undefined ? handlers[index++] : undefined;
      if (handler === undefined) next(error);
      else void handler(request, response, step);
    };
    step();
  };
}
