import type { RequestHandler } from 'express';

/**
 * Takes a path whose percent-encoding decodes to no text, such as /contacts/%E0%A4%A, as it is written. It
 * then reaches its route, where it is refused like any unknown id, and not without a token; Express would
 * answer it by itself.
 */
export const decodablePath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  try {
    decodeURIComponent(path);
  } catch {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
};
