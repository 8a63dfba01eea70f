import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route';

const later = lazyRouteComponent(() => import('../later'));

export const recordRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/records', component: later }),
  createRoute({ getParentRoute: () => shellRoute, path: '/records/$type/$record', component: later }),
] as const;
