import { Button, Group, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from './problem';
import { Empty, Loading, Spoken } from './states';

interface Listed<T> {
  data: T[];
  pagination: { count?: number; next: string | null };
}

/** What a list by pages needs of `useInfiniteQuery`, beside its key and how a page is read. */
export const byPages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: Listed<unknown>) => pagination.next ?? undefined,
};

interface MoreProps<T> {
  query: UseInfiniteQueryResult<{ pages: Listed<T>[] }>;
  /** Where there is nothing. */
  empty: { title: string; text?: ReactNode };
  children: (rows: T[]) => ReactNode;
}

/** A list that shows one page after the other; says how much there is. */
export function More<T>({ query, empty, children }: MoreProps<T>) {
  const { t } = useTranslation();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const rows = data.pages.flatMap((page) => page.data);
  const count = data.pages[0]?.pagination.count;
  const shown =
    count === undefined
      ? t('common.shown', { shown: rows.length })
      : t('common.shown_of', { shown: rows.length, count: Math.max(count, rows.length) });
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {rows.length === 0 ? <Empty title={empty.title}>{empty.text}</Empty> : children(rows)}
      <Spoken>{rows.length === 0 ? empty.title : shown}</Spoken>
      {rows.length > 0 && (
        <Group mt="sm">
          {hasNextPage && (
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('common.more')}
            </Button>
          )}
          <Text size="sm" c="dimmed" aria-hidden>
            {shown}
          </Text>
        </Group>
      )}
    </>
  );
}
