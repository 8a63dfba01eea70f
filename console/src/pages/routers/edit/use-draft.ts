import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Tagged } from '../../../api/client';
import { changesBetween, useEdit } from '../../../api/edit';
import { bodyOf, contentOf, type Content } from '../model/content';
import { pendingOf, routerStateQuery, type RouterState } from '../queries';

interface Edited {
  base: Tagged<Content>;
  content: Content;
}

function begin({ value, etag }: RouterState['live']): Edited {
  const content = contentOf(value);
  return { base: { value: content, etag }, content };
}

/**
 * What a person makes of a router before it is saved. It begins with the draft, or with what is live where
 * there is no draft. Leaving the page with changes asks first.
 */
export function useDraft(state: RouterState) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const pending = pendingOf(state);
  const { id } = pending.value;
  const [edited, setEdited] = useState<Edited | null>(null);
  // Others may save while it is edited: it stays compared with what it began with.
  const fresh = useMemo(() => begin(pending), [pending]);
  const { base, content } = edited ?? fresh;
  const changes = changesBetween(base.value, content);
  const edit = useEdit<Content, Partial<Content>>({
    read: async (): Promise<Tagged<Content>> => {
      const { value, etag } = pendingOf(await client.fetchQuery({ ...routerStateQuery(id), staleTime: 0 }));
      return { value: contentOf(value), etag };
    },
    save: (changed, etag) =>
      answer(
        api.PATCH('/routers/{routerId}', {
          params: { path: { routerId: id }, header: { 'If-Match': etag } },
          body: bodyOf(changed),
        }),
      ),
    stale: [['routers']],
  });
  useBlocker({
    shouldBlockFn: () => changes !== undefined && !window.confirm(t('routers.leave')),
    enableBeforeUnload: changes !== undefined,
  });
  return {
    content,
    /** What is not saved; undefined for nothing. */
    changes,
    change: (some: Partial<Content>) => {
      const next = { ...content, ...some };
      setEdited(changesBetween(base.value, next) === undefined ? null : { base, content: next });
    },
    discard: () => {
      setEdited(null);
      edit.reset();
    },
    save: async (): Promise<void> => {
      if (changes === undefined) return;
      if (await edit.save(changes, base)) setEdited(null);
    },
    saving: edit.saving,
    error: edit.error,
    collision: edit.collision,
    resolve: async (chosen: Partial<Content>): Promise<void> => {
      if (await edit.resolve(chosen)) setEdited(null);
    },
    goBack: edit.goBack,
  };
}
