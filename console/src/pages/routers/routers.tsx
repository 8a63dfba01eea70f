import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useAccess } from '../../app/access';
import { useFormats } from '../../i18n/format';
import { DataTable, type Column } from '../../parts/data-table';
import { FilterBar } from '../../parts/filter-bar';
import { byPages, More } from '../../parts/more';
import { NameFilter } from '../../parts/name-filter';
import { Page } from '../../parts/page';
import { Time } from '../../parts/time';
import type { ListedRouter } from '../../api/types';
import { NewRouter } from './edit/new-router';
import { AppLink } from '../../parts/app-link';

/** The routers of the account, and how they do. */
export default function Routers() {
  const { t } = useTranslation();
  const { q, archived } = useSearch({ from: '/shell/routers' });
  const navigate = useNavigate({ from: '/routers' });
  const may = useAccess();
  const [creating, { open, close }] = useDisclosure();
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['routers', 'list', { q, archived }],
    queryFn: ({ pageParam: after }) => {
      const filters = {
        ...(q && { q }),
        ...(archived && { archived }),
        ...(after !== undefined && { after }),
      };
      return answer(
        api.GET('/routers', { params: { query: { limit: 50, brief: true, expand: 'status', ...filters } } }),
      );
    },
  });
  const columns = useColumns();
  return (
    <Page
      title={t('shell.pages.routers')}
      about={t('routers.about')}
      actions={may('manage') && <Button onClick={open}>{t('routers.new')}</Button>}
    >
      <FilterBar active={Boolean(q ?? archived)} clear={() => void navigate({ search: {} })}>
        <NameFilter
          label={t('routers.find')}
          value={q}
          onChange={(typed) => void navigate({ search: { q: typed, archived }, replace: true })}
        />
        <Checkbox
          mb={8}
          label={t('routers.archived')}
          checked={archived ?? false}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: { q, archived: checked || undefined } })
          }
        />
      </FilterBar>
      <More query={query} empty={{ title: t('routers.none'), text: t('routers.none_text') }}>
        {(rows) => (
          <DataTable label={t('shell.pages.routers')} columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </More>
      {creating && <NewRouter close={close} />}
    </Page>
  );
}

function useColumns(): Column<ListedRouter>[] {
  const { t } = useTranslation();
  const { number, credit } = useFormats();
  const counts = (assigned = 0, refused = 0) => `${number(assigned)} · ${number(refused)}`;
  return [
    {
      key: 'name',
      heading: t('routers.name'),
      cell: ({ id, name }) => (
        <AppLink to="/routers/$router" params={{ router: id }}>
          {name}
        </AppLink>
      ),
    },
    { key: 'type', heading: t('routers.type'), cell: ({ object_type }) => t(`common.types.${object_type}`) },
    {
      key: 'state',
      heading: t('routers.state'),
      cell: ({ archived, is_published, status }) => (
        <>
          {t(
            archived !== false ? 'routers.is_archived' : is_published ? 'routers.is_live' : 'routers.is_off',
          )}
          {status?.draft && (
            <span className="caution">
              {' · '}
              {t('routers.draft_since')} <Time at={status.draft.since} />
            </span>
          )}
          {status?.warnings.map((warning) => (
            <div key={warning} className="bad">
              {warning}
            </div>
          ))}
        </>
      ),
    },
    {
      key: 'day',
      heading: t('routers.last_day'),
      numeric: true,
      cell: ({ status }) => counts(status?.assigned, status?.refused),
    },
    {
      key: 'week',
      heading: t('routers.last_week'),
      numeric: true,
      cell: ({ status }) => counts(status?.assigned_7d, status?.refused_7d),
    },
    {
      key: 'deviation',
      heading: t('routers.deviation'),
      numeric: true,
      cell: ({ id, status }) =>
        typeof status?.deviation === 'number' ? (
          <AppLink to="/routers/$router/fairness" params={{ router: id }}>
            {credit(status.deviation)}
          </AppLink>
        ) : (
          '–'
        ),
    },
  ];
}
