import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { isSessionEnd } from '../api/errors';
import { meQuery, sessionQuery } from '../api/queries';
import { Page } from '../parts/page';
import { Loading } from '../parts/states';
import { Problem } from '../parts/problem';
import { CommandButton, CommandMenu } from './command-menu';
import { MainNavigation } from './main-navigation';
import { PAGES } from './navigation';
import { SessionEnded } from './session/ended';
import { setEnded } from './session/session-events';
import { NoSession, SignIn } from './session/sign-in';
import { UserMenu } from './user-menu';

/** Lets in who is signed in; shows all others how to. */
export function Shell() {
  const session = useQuery(sessionQuery);
  if (session.isPending) return <Loading />;
  if (session.error !== null) return <NoSession retry={() => void session.refetch()} />;
  return session.data.signed_in ? <Frame /> : <SignIn />;
}

function Frame() {
  const { t } = useTranslation();
  const me = useQuery(meQuery);
  const [opened, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  useNoticeOfEnd();
  useFocusOfPage(path, main, close);
  if (me.isPending) return <Loading />;
  if (me.error !== null && me.data === undefined) {
    if (isSessionEnd(me.error)) return <SignIn />;
    return <Problem error={me.error} retry={() => void me.refetch()} />;
  }
  const page = PAGES.find(({ to }) => route === to || (to !== '/' && route.startsWith(`${to}/`)));
  const maySee = page === undefined || me.data.scopes.includes(page.scope);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" wrap="nowrap" gap="sm">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('shell.menu')} />
          <Text fw={600} truncate title={me.data.account.name}>
            {me.data.account.name}
          </Text>
          <Group ml="auto" wrap="nowrap" gap="xs">
            <CommandButton />
            <UserMenu me={me.data} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('shell.navigation')} data-opened={opened || undefined}>
        <MainNavigation me={me.data} />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        {maySee ? <Outlet /> : <Page title={t('common.forbidden')}>{null}</Page>}
      </AppShell.Main>
      <CommandMenu />
      <SessionEnded />
    </AppShell>
  );
}

/** Any answer may say that the session is over. */
function useNoticeOfEnd(): void {
  const client = useQueryClient();
  useEffect(() => {
    // An old error that is still kept says nothing of the session that is there now.
    const notice = (event: { type: string; action?: { type: string; error?: unknown } }) => {
      const { type, error } = event.action ?? {};
      if (event.type === 'updated' && type === 'error' && isSessionEnd(error)) setEnded(true);
    };
    const stops = [client.getQueryCache().subscribe(notice), client.getMutationCache().subscribe(notice)];
    return () => stops.forEach((stop) => stop());
  }, [client]);
}

/** After a change of page its content has the focus, as after a load. Filters move nothing. */
function useFocusOfPage(path: string, main: RefObject<HTMLElement | null>, close: () => void): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    close();
    main.current?.focus({ preventScroll: true });
  }, [path, main, close]);
}

function skipTo(event: React.MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}
