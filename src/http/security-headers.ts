import type { RequestHandler } from 'express';
import helmet from 'helmet';

type Response = Parameters<ReturnType<typeof helmet>>[1];

/**
 * Creates middleware that sets the headers of helmet. They are the same for each answer, so helmet is asked
 * once.
 */
export function securityHeaders(): RequestHandler {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  } as unknown as Response;
  // Browsers must not turn http://localhost into https for the pages under /docs.
  const directives = { upgradeInsecureRequests: null };
  helmet({ contentSecurityPolicy: { directives } })({} as never, recorder, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
