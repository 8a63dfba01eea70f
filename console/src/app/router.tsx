import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { CONSOLE } from '../api/client';
import { assignmentRoutes } from '../pages/assignments/routes';
import { auditRoutes } from '../pages/audit/routes';
import { healthRoutes } from '../pages/health/routes';
import { peopleRoutes } from '../pages/people/routes';
import { recordRoutes } from '../pages/records/routes';
import { routerRoutes } from '../pages/routers/routes';
import { settingRoutes } from '../pages/settings/routes';
import { todayRoutes } from '../pages/today/routes';
import { Loading, NotFound } from '../parts/states';
import { Problem } from '../parts/problem';
import { rootRoute } from './root';
import { searchCodec, searchOf, text } from './search';
import { shellRoute } from './shell-route';

const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enter',
  validateSearch: searchOf({ refused: text }),
  component: lazyRouteComponent(() => import('./session/enter')),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signed-in',
  component: lazyRouteComponent(() => import('./session/signed-in')),
});

// Inside the array below, its type would be lost, and with it that of all others.
const elsewhereRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound });

const pages = shellRoute.addChildren([
  ...todayRoutes,
  ...routerRoutes,
  ...assignmentRoutes,
  ...peopleRoutes,
  ...recordRoutes,
  ...settingRoutes,
  ...auditRoutes,
  ...healthRoutes,
  elsewhereRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([enterRoute, signedInRoute, pages]),
  basepath: CONSOLE.pathname,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
  ...searchCodec,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
