import { Button, Checkbox, Group } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { managed, type Managed } from '../../api/managed';
import { AskButton } from '../../parts/ask-button';
import { DataTable } from '../../parts/data-table';
import { FilterBar } from '../../parts/filter-bar';
import { byPages, More } from '../../parts/more';
import { NameFilter } from '../../parts/name-filter';
import { SettingsFrame } from './frame';
import type { KindPage } from './kind-page';
import { Change, Creation } from './managed-dialogs';

/** The list of a kind of configuration, with a dialog that creates and changes. All is in the address. */
export function ManagedList<T extends Managed, D extends object>(page: KindPage<T, D>) {
  const { t } = useTranslation();
  const { section, columns, nameOf, isSearched = false, query: more = {}, canArchive = () => true } = page;
  const search: { q?: string; archived?: boolean; edit?: string } = useSearch({ strict: false });
  const { q, archived, edit } = search;
  const navigate = useNavigate();
  const go = (changes: typeof search) =>
    void navigate({ to: '.', search: { ...search, ...changes } as never, replace: true });
  const client = useQueryClient();
  const kind = managed<T>(section);
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: [section, 'list', { q, archived, ...more }],
    queryFn: ({ pageParam: after }) =>
      kind.list({
        limit: 50,
        ...more,
        ...(q !== undefined && { q }),
        ...(archived === true && { archived }),
        ...(after !== undefined && { after }),
      }),
  });
  const archive = async ({ id }: T) => {
    await kind.archive(id, (await kind.read(id)).etag);
    await client.invalidateQueries({ queryKey: [section] });
  };
  const close = () => go({ edit: undefined });
  return (
    <SettingsFrame
      section={section}
      actions={<Button onClick={() => go({ edit: 'new' })}>{t(`settings.${section}.new`)}</Button>}
    >
      {page.children}
      <FilterBar active={Boolean(q ?? archived)} clear={() => go({ q: undefined, archived: undefined })}>
        {isSearched && (
          <NameFilter label={t('routers.find')} value={q} onChange={(typed) => go({ q: typed })} />
        )}
        <Checkbox
          mb={8}
          label={t('routers.archived')}
          checked={archived ?? false}
          onChange={(event) => go({ archived: event.currentTarget.checked || undefined })}
        />
      </FilterBar>
      <More
        query={query}
        empty={{ title: t(`settings.${section}.none`), text: t(`settings.${section}.about`) }}
      >
        {(rows) => (
          <DataTable
            label={t(`settings.${section}.title`)}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              ...columns,
              {
                key: 'do',
                heading: t('common.actions'),
                cell: (item) =>
                  item.archived === false ? (
                    <Group gap={4} justify="flex-end">
                      {page.actions?.(item)}
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={t('common.edit_part', { part: nameOf(item) })}
                        onClick={() => go({ edit: item.id })}
                      >
                        {t('common.edit')}
                      </Button>
                      {canArchive(item) && (
                        <AskButton
                          size="compact-xs"
                          action={t(`settings.${section}.archive`)}
                          label={`${t(`settings.${section}.archive`)}: ${nameOf(item)}`}
                          title={t(`settings.${section}.archive_title`, { name: nameOf(item) })}
                          act={() => archive(item)}
                        >
                          {t(`settings.${section}.archive_text`)}
                        </AskButton>
                      )}
                    </Group>
                  ) : (
                    t('routers.is_archived')
                  ),
              },
            ]}
          />
        )}
      </More>
      {edit === 'new' && <Creation page={page} close={close} />}
      {edit !== undefined && edit !== 'new' && <Change key={edit} page={page} id={edit} close={close} />}
    </SettingsFrame>
  );
}
