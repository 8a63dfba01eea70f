import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneOf, searchOf, text } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    validateSearch: searchOf({ q: text, team: text, router: text, eligible: oneOf('true', 'false') }),
    component: lazyRouteComponent(() => import('./people')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/$person',
    validateSearch: searchOf({ edit: oneOf('basics', 'hours', 'absences', 'limits') }),
    component: lazyRouteComponent(() => import('./person')),
  }),
] as const;
