import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { flag, oneOf, searchOf, text } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

const listSearch = searchOf({ q: text, archived: flag, edit: text });

export const settingRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    beforeLoad: () => {
      // The router takes what is thrown as the way to go.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw redirect({ to: '/settings/members' });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/members',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./members')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/clients',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./clients')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/teams',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./teams')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/fields',
    validateSearch: searchOf({
      archived: flag,
      edit: text,
      type: oneOf('contacts', 'companies', 'deals', 'tickets'),
    }),
    component: lazyRouteComponent(() => import('./fields')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/capacities',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./capacities')),
  }),
] as const;
