import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Problem } from '../parts/problem';

/** The frame of everything: a page within the shell, or one of the few without. */
export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
});
