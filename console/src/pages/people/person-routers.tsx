import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routersQuery } from '../../api/queries';
import { teamsQuery } from '../../api/teams';
import type { User } from '../../api/types';
import { routersOf } from '../../model/routers-of';
import { AppLink } from '../../parts/app-link';
import { Problem } from '../../parts/problem';
import { Loading } from '../../parts/states';

/** The routers that can give somebody records. */
export function PersonRouters({ user: { email } }: { user: User }) {
  const { t } = useTranslation();
  const routers = useQuery(routersQuery());
  const teams = useQuery(teamsQuery());
  if (routers.isPending || teams.isPending) return <Loading />;
  if (routers.data === undefined)
    return <Problem error={routers.error} retry={() => void routers.refetch()} />;
  const own = (teams.data?.data ?? [])
    .filter(({ members }) => members.includes(email))
    .map(({ name }) => name);
  const listings = routersOf(email, own, routers.data.data);
  if (listings.length === 0) return <span className="quiet">{t('people.one.no_routers')}</span>;
  return listings.map(({ id, name, asBackup }) => (
    <div key={id}>
      <AppLink to="/routers/$router" params={{ router: id }}>
        {name}
      </AppLink>
      {asBackup && ` (${t('people.one.as_backup')})`}
    </div>
  ));
}
