import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root';
import { Shell } from './shell';

/** The parent of every page that is for somebody who is signed in. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });
