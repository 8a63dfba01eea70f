import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, CONSOLE } from '../api/client';
import { sessionQuery } from '../api/queries';
import type { Me } from '../api/types';
import { chooseLanguage, LANGUAGES, type Language } from '../i18n/i18n';
import { notifyOf } from '../parts/problem';
import { tellTabs } from './session/session-events';

const SCHEMES = { light: 'light', dark: 'dark', auto: 'system' } as const;

export function UserMenu({ me }: { me: Me }) {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => answer(api.DELETE('/console/session')),
    onSuccess: () => {
      tellTabs('left');
      client.clear();
      location.assign(CONSOLE.href);
    },
    onError: (error) => notifyOf(t, error, t('shell.not_signed_out')),
  });
  const name = me.user?.name ?? me.email ?? me.name;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={160}
          title={name}
          aria-label={t('shell.settings_of', { name })}
        >
          <Text size="sm" truncate component="span">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.email}
          {me.role !== null && ` · ${t(`shell.roles.${me.role}`)}`}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('shell.appearance')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as keyof typeof SCHEMES)}
        >
          {Object.entries(SCHEMES).map(([scheme, word]) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t(`shell.${word}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        <Menu.RadioGroup
          value={i18n.language}
          onChange={(language) => void chooseLanguage(language as Language)}
        >
          {Object.entries(LANGUAGES).map(([language, word]) => (
            <Menu.RadioItem key={language} value={language} lang={language}>
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Accounts own={me.account.id} />
        <Menu.Item onClick={() => signOut.mutate()}>{t('shell.sign_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The other accounts in which the provider's person is a member. */
function Accounts({ own }: { own: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(sessionQuery);
  const change = useMutation({
    mutationFn: (account: string) => answer(api.POST('/console/session', { body: { account } })),
    onSuccess: () => {
      tellTabs('entered');
      location.assign(CONSOLE.href);
    },
    onError: (error) => notifyOf(t, error, t('common.failed')),
  });
  const others = (data?.accounts ?? []).filter(({ id }) => id !== own);
  if (others.length === 0) return null;
  return (
    <>
      <Menu.Label>{t('session.accounts')}</Menu.Label>
      {others.map(({ id, name }) => (
        <Menu.Item key={id} onClick={() => change.mutate(id)}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
