import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tagged } from '../../api/client';
import { changesBetween, useEdit } from '../../api/edit';
import { ApiError } from '../../api/errors';
import { managed, type Managed } from '../../api/managed';
import { Collision } from '../../parts/collision';
import { Confirm } from '../../parts/confirm';
import { DataTable, type Column } from '../../parts/data-table';
import { EditForm } from '../../parts/edit-form';
import { FilterBar } from '../../parts/filter-bar';
import { byPages, More } from '../../parts/more';
import { NameFilter } from '../../parts/name-filter';
import { Problem } from '../../parts/problem';
import { useReturnFocus } from '../../parts/return-focus';
import { shownValue } from '../../parts/shown-value';
import { Loading } from '../../parts/states';
import { SettingsFrame, type SettingsSection } from './frame';

/** What the form of a kind gets: what is typed so far, and what is wrong with it. */
export interface FormProps<D> {
  draft: D;
  set: (changes: Partial<D>) => void;
  /** What the service says of a key. */
  wrong: (key: string) => string | undefined;
  /** Whether the object is being created. */
  isNew: boolean;
}

/** What a page says of its kind of configuration. */
export interface KindPage<T extends Managed, D extends object> {
  section: SettingsSection;
  nameOf: (item: T) => string;
  /** What a form begins with; of no item, that of a new one. The keys are those of a body. */
  draftOf: (item: T | undefined) => D;
  columns: Column<T>[];
  Form: ComponentType<FormProps<D>>;
  /** What else can be done with an item. */
  actions?: (item: T) => ReactNode;
  /** Called with what the service has answered to a creation. */
  onCreated?: (created: T) => void;
  /** What a list is asked for beside its page. */
  query?: Record<string, string>;
  /** Whether names are found by the service. */
  isSearched?: boolean;
  canArchive?: (item: T) => boolean;
  children?: ReactNode;
}

/** The list of a kind of configuration, with a dialog that creates and changes. All is in the address. */
export function ManagedList<T extends Managed, D extends object>(page: KindPage<T, D>) {
  const { t } = useTranslation();
  const { section, columns, nameOf, isSearched = false, query: more = {}, canArchive = () => true } = page;
  const search: { q?: string; archived?: boolean; edit?: string } = useSearch({ strict: false });
  const { q, archived, edit } = search;
  const navigate = useNavigate();
  const go = (changes: typeof search) =>
    void navigate({ to: '.', search: { ...search, ...changes } as never, replace: true });
  const [leaving, setLeaving] = useState<T | null>(null);
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
                        aria-label={`${t('common.edit')}: ${nameOf(item)}`}
                        onClick={() => go({ edit: item.id })}
                      >
                        {t('common.edit')}
                      </Button>
                      {canArchive(item) && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={`${t(`settings.${section}.archive`)}: ${nameOf(item)}`}
                          onClick={() => setLeaving(item)}
                        >
                          {t(`settings.${section}.archive`)}
                        </Button>
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
      {leaving !== null && <Archival page={page} item={leaving} close={() => setLeaving(null)} />}
    </SettingsFrame>
  );
}

interface DialogProps<T extends Managed, D extends object> {
  page: KindPage<T, D>;
  close: () => void;
}

function Creation<T extends Managed, D extends object>({ page, close }: DialogProps<T, D>) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: (draft: D) => managed<T>(page.section).create(draft),
    onSuccess: async (created) => {
      await client.invalidateQueries({ queryKey: [page.section] });
      close();
      page.onCreated?.(created);
    },
  });
  return (
    <FormDialog
      page={page}
      close={close}
      title={t(`settings.${page.section}.new`)}
      begin={page.draftOf(undefined)}
      isNew
      save={(draft) => creation.mutate(draft)}
      saving={creation.isPending}
      error={creation.error}
    />
  );
}

function Change<T extends Managed, D extends object>(props: DialogProps<T, D> & { id: string }) {
  const { page, id } = props;
  const kind = managed<T>(page.section);
  const { data, error } = useQuery({
    queryKey: [page.section, 'one', id],
    queryFn: () => kind.read(id),
    // Each dialog begins with what is there when it opens.
    gcTime: 0,
  });
  if (data === undefined) return error === null ? <Loading /> : <Problem error={error} />;
  return <ChangeForm {...props} tag={data} />;
}

/** Edits an object. What was read when it opened is what the changes are compared with. */
function ChangeForm<T extends Managed, D extends object>({
  page,
  id,
  close,
  tag,
}: DialogProps<T, D> & { id: string; tag: Tagged<T> }) {
  const { t } = useTranslation();
  const kind = managed<T>(page.section);
  const [{ value: item, etag }] = useState(tag);
  const base = { value: page.draftOf(item), etag };
  const read = async (): Promise<Tagged<D>> => {
    const { value, etag } = await kind.read(id);
    return { value: page.draftOf(value), etag };
  };
  const edit = useEdit<D, Partial<D>>({
    read,
    save: (changes, etag) => kind.change(id, etag, changes),
    stale: [[page.section], ['fields'], ['teams']],
  });
  return (
    <>
      <FormDialog
        page={page}
        close={close}
        title={page.nameOf(item)}
        begin={base.value}
        isNew={false}
        save={(draft) => {
          const changes = changesBetween(base.value, draft);
          if (changes === undefined) close();
          else
            void edit
              .save(changes, base)
              .then((saved) => saved && close())
              .catch(() => undefined);
        }}
        saving={edit.saving}
        error={edit.error}
      />
      <Collision<D, Partial<D>>
        collision={edit.collision}
        nameOf={(key) => t(`settings.keys.${key as 'name'}`, { defaultValue: key })}
        show={(_, value) => shownValue(t, value)}
        resolve={(chosen) => void edit.resolve(chosen).then((isDone) => isDone && close())}
        goBack={edit.goBack}
      />
    </>
  );
}

interface FormDialogProps<T extends Managed, D extends object> extends DialogProps<T, D> {
  title: string;
  begin: D;
  isNew: boolean;
  save: (draft: D) => void;
  saving: boolean;
  error: unknown;
}

function FormDialog<T extends Managed, D extends object>(props: FormDialogProps<T, D>) {
  const { page, close, title, begin, isNew, save, saving, error } = props;
  const { t } = useTranslation();
  useReturnFocus();
  const [draft, setDraft] = useState(begin);
  const wrong = (key: string) => (error instanceof ApiError ? error.at(key) : undefined);
  const { Form } = page;
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <EditForm submit={() => save(draft)} close={close} saving={saving} error={error}>
        <Form
          draft={draft}
          set={(changes) => setDraft({ ...draft, ...changes })}
          wrong={wrong}
          isNew={isNew}
        />
      </EditForm>
    </Modal>
  );
}

function Archival<T extends Managed, D extends object>({
  page,
  item,
  close,
}: DialogProps<T, D> & { item: T }) {
  const { t } = useTranslation();
  useReturnFocus();
  const client = useQueryClient();
  const { section, nameOf } = page;
  const kind = managed<T>(section);
  const archival = useMutation({
    mutationFn: async () => kind.archive(item.id, (await kind.read(item.id)).etag),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: [section] });
    },
  });
  return (
    <Confirm
      opened
      close={close}
      title={t(`settings.${section}.archive_title`, { name: nameOf(item) })}
      action={t(`settings.${section}.archive`)}
      run={() => archival.mutate()}
      running={archival.isPending}
      error={archival.error}
    >
      {t(`settings.${section}.archive_text`)}
    </Confirm>
  );
}
