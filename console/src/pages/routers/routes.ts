import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route';

const later = lazyRouteComponent(() => import('../later'));

export const routerRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/routers', component: later }),
  createRoute({ getParentRoute: () => shellRoute, path: '/routers/$router', component: later }),
] as const;
