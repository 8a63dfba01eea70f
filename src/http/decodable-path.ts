import type { RequestHandler } from 'express';

/**
 * Middleware that makes every path decodable: in a path that does not decode, such as /contacts/%E0%A4%A,
 * each `%` becomes `%25`. The request then reaches its route, which checks the token and answers 404 as for
 * any unknown id. Express would answer 400 before the route.
 */
export const decodablePath: RequestHandler = (request, _response, next) => {
  if (!request.url.includes('%')) {
    next();
    return;
  }
  const [path = '', ...query] = request.url.split('?');
  if (!isDecodable(path)) request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  next();
};

/** Whether the path of a target decodes. */
export function isDecodable(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
