import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf, text } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit',
    // `object` is a kind or the id of an object, `by` the id of a client or member, or the name of a command.
    validateSearch: searchOf({ object: text, by: text, from: text, to: text }),
    component: lazyRouteComponent(() => import('./audit')),
  }),
] as const;
