import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route';
import { readSearch } from './filter';

export const assignmentRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assignments',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./assignments')),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/assignments/$assignment',
    component: lazyRouteComponent(() => import('./assignment')),
  }),
] as const;
