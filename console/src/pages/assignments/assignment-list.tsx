import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { AssignmentFilter } from '../../api/types';
import { byPages, More } from '../../parts/more';
import { Spoken } from '../../parts/states';
import { AssignmentTable } from './assignment-table';

const FOLLOWED = 5_000;

interface ListProps {
  filter: AssignmentFilter;
  follow?: boolean;
  /** The most on a page. */
  limit?: number;
}

/** The entries of the log that match, page by page; `follow` reads the first one again and again. */
export function AssignmentList({ filter, follow = false, limit = 50 }: ListProps) {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['assignments', filter, limit],
    queryFn: ({ pageParam: after }) =>
      answer(
        api.GET('/assignments', {
          params: { query: { limit, ...filter, ...(after !== undefined && { after }) } },
        }),
      ),
    refetchInterval: ({ state }) => (follow && (state.data?.pages.length ?? 0) < 2 ? FOLLOWED : false),
    placeholderData: keepPreviousData,
  });
  const count = query.data?.pages[0]?.pagination.count ?? 0;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      {follow && <NewOnes key={JSON.stringify(filter)} count={count} />}
      <More
        query={query}
        empty={
          isFiltered
            ? { title: t('assignments.empty'), text: t('assignments.empty_text') }
            : { title: t('assignments.empty_all'), text: t('assignments.empty_all_text') }
        }
      >
        {(rows) => <AssignmentTable rows={rows} label={t('assignments.title')} />}
      </More>
    </>
  );
}

/** Says how many have come since it was looked at last. */
function NewOnes({ count }: { count: number }) {
  const { t } = useTranslation();
  const before = useRef(count);
  const [more, setMore] = useState(0);
  useEffect(() => {
    if (count > before.current && before.current > 0) setMore(count - before.current);
    before.current = count;
  }, [count]);
  return <Spoken>{more > 0 && t('assignments.new', { count: more })}</Spoken>;
}
