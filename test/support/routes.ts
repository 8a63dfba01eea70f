import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';

/** A route as Express knows it. */
export interface Route {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Pages that describe the service, and those of the console. They are not routes of the API. */
const PAGES = /^\/(docs|openapi|console(\/\*path|\/oidc\/.*|\/?)$)/;

/** Every route that the application really has, in order of path and method. */
export function routesOf(app: NestExpressApplication): Route[] {
  const express = app.getHttpAdapter().getInstance() as unknown as Application;
  const { stack } = express.router as unknown as { stack: readonly Layer[] };
  const routes = stack.flatMap(({ route }) =>
    route === undefined || PAGES.test(route.path)
      ? []
      : Object.keys(route.methods).map((method) => ({
          method: method.toUpperCase(),
          path: route.path.replace(/:(\w+)/g, '{$1}'),
        })),
  );
  return routes.sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

/** Returns whether a route needs no token: how to get one, how people enter, and health. */
export const isPublic = ({ path }: Route): boolean => /^\/(oauth2|health|\.well-known|console)\//.test(path);
