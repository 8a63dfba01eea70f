import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { User } from '../../api/types';
import { AppLink } from '../../parts/app-link';
import { byPages, More } from '../../parts/more';

/** The routers that can give somebody records: by a pool, a team, or as the backup. */
export function PersonRouters({ user: { email } }: { user: User }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['routers', 'of', email],
    queryFn: ({ pageParam: after }) => {
      const page = { limit: 20, user: email, ...(after !== undefined && { after }) };
      return answer(api.GET('/routers', { params: { query: page } }));
    },
  });
  return (
    <More query={query} empty={{ title: t('people.one.no_routers') }}>
      {(rows) =>
        rows.map(({ id, name, settings }) => (
          <div key={id}>
            <AppLink to="/routers/$router" params={{ router: id }}>
              {name}
            </AppLink>
            {settings?.default_user === email && ` (${t('people.one.as_backup')})`}
          </div>
        ))
      }
    </More>
  );
}
