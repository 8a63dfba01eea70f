import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tagged } from '../../api/client';
import { changesBetween, useEdit } from '../../api/edit';
import { ApiError } from '../../api/errors';
import { managed, type Managed } from '../../api/managed';
import { Collision } from '../../parts/collision';
import { Dialog } from '../../parts/dialog';
import { EditForm } from '../../parts/edit-form';
import { useLeave } from '../../parts/leave';
import { Problem } from '../../parts/problem';
import { shownValue } from '../../parts/shown-value';
import { Loading } from '../../parts/states';
import type { KindPage } from './kind-page';

interface DialogProps<T extends Managed, D extends object> {
  page: KindPage<T, D>;
  close: () => void;
}

/** Makes a new object. */
export function Creation<T extends Managed, D extends object>({ page, close }: DialogProps<T, D>) {
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

/** Edits an object, as it is when the dialog opens. */
export function Change<T extends Managed, D extends object>(props: DialogProps<T, D> & { id: string }) {
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
  const [draft, setDraft] = useState(begin);
  const leave = useLeave(changesBetween(begin, draft) !== undefined, close);
  const wrong = (key: string) => (error instanceof ApiError ? error.at(key) : undefined);
  const { Form } = page;
  return (
    <Dialog title={title} close={leave} size="lg">
      <EditForm submit={() => save(draft)} close={close} saving={saving} error={error}>
        <Form
          draft={draft}
          set={(changes) => setDraft({ ...draft, ...changes })}
          wrong={wrong}
          isNew={isNew}
        />
      </EditForm>
    </Dialog>
  );
}
