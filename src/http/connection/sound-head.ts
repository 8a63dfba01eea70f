import type { RequestHandler } from 'express';
import { invalid } from '../../errors/errors.js';
import { headerValues } from '../header-values.js';
import type { OwedAnswers } from './owed-answers.js';

/**
 * Middleware that refuses heads of which a proxy may have another opinion than this server: more than one
 * Host (RFC 9112 section 3.2), and a transfer encoding other than `chunked`, which would not be decoded.
 * Throws 400.
 */
export const soundHead =
  (answers: OwedAnswers): RequestHandler =>
  (request, response, next) => {
    const encoding = request.headers['transfer-encoding'];
    const problem =
      headerValues(request, 'host').length > 1
        ? 'The Host header must be sent once'
        : encoding !== undefined && encoding.toLowerCase() !== 'chunked'
          ? 'The Transfer-Encoding must be chunked'
          : undefined;
    if (problem === undefined) {
      next();
      return;
    }
    answers.endBehind(response);
    next(invalid([{ message: problem }]));
  };
