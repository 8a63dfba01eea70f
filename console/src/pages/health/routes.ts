import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route';

export const healthRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/health',
    component: lazyRouteComponent(() => import('./health')),
  }),
] as const;
