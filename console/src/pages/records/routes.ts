import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag, oneOf, searchOf, text } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const recordRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/records',
    // `filter` is a trigger as JSON, as the search of the API takes it.
    validateSearch: searchOf({
      type: oneOf('contacts', 'companies', 'deals', 'tickets'),
      filter: text,
      sort: text,
      archived: flag,
    }),
    component: lazyRouteComponent(() => import('./records')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/records/$type/$record',
    component: lazyRouteComponent(() => import('./record')),
  }),
] as const;
