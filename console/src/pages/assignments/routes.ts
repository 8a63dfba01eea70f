import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { count, flag, oneOf, searchOf, text } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const assignmentRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assignments',
    validateSearch: searchOf({
      view: oneOf('list', 'user', 'rule', 'reason', 'day'),
      router: text,
      rule: text,
      step: count,
      user: text,
      reason: text,
      record: text,
      assigned: flag,
      from: text,
      to: text,
      follow: flag,
    }),
    component: lazyRouteComponent(() => import('./assignments')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assignments/$assignment',
    component: lazyRouteComponent(() => import('./assignment')),
  }),
] as const;
