import { Button, Menu, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../app/access';

type View = Record<string, string | boolean | undefined>;

/** Filters under names that this browser keeps for a member. */
export function SavedViews({ search }: { search: View }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/records' });
  const me = useMe();
  const [views, setViews] = useLocalStorage<Record<string, View>>({
    key: `fairlead.views.${me?.account.id}.${me?.id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const [name, setName] = useState('');
  const keep = () => {
    setViews({ ...views, [name]: JSON.parse(JSON.stringify(search)) as View });
    setName('');
  };
  return (
    <Menu closeOnItemClick={false} width={280} trapFocus>
      <Menu.Target>
        <Button variant="default">{t('records.views')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(views).map(([key, view]) => (
          <Menu.Item key={key} closeMenuOnClick onClick={() => void navigate({ search: view as never })}>
            {key}
          </Menu.Item>
        ))}
        {Object.keys(views).map((key) => (
          <Menu.Item
            key={`remove ${key}`}
            color="red.9"
            onClick={() =>
              setViews(Object.fromEntries(Object.entries(views).filter(([other]) => other !== key)))
            }
          >
            {t('records.forget_view', { name: key })}
          </Menu.Item>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep();
          }}
        >
          <TextInput
            m="xs"
            label={t('records.view_name')}
            value={name}
            required
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button m="xs" mt={0} size="xs" type="submit" variant="default">
            {t('records.keep_view')}
          </Button>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
