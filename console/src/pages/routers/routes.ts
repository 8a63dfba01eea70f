import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { count, flag, oneOf, searchOf, text, type Reader } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

/** An instant as the service takes it; what is none is left out of the address. */
const instant: Reader<string> = (value) => {
  const at = new Date(value ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

export const routerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/routers',
    validateSearch: searchOf({ q: text, archived: flag }),
    component: lazyRouteComponent(() => import('./routers')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/routers/$router',
    // What is tried beside the route: a record by its id, and an instant.
    validateSearch: searchOf({ record: text, at: instant }),
    component: lazyRouteComponent(() => import('./route')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/routers/$router/publish',
    component: lazyRouteComponent(() => import('./publish')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/routers/$router/versions',
    validateSearch: searchOf({ from: text, to: text }),
    component: lazyRouteComponent(() => import('./versions')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/routers/$router/fairness',
    validateSearch: searchOf({ days: oneOf('7', '30', '90'), rule: text, step: count }),
    component: lazyRouteComponent(() => import('./fairness')),
  }),
] as const;
