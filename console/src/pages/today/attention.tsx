import { useTranslation } from 'react-i18next';
import { AppLink } from '../../parts/app-link';
import { Problem } from '../../parts/problem';
import { Empty, Loading } from '../../parts/states';
import { Some } from '../../parts/some';
import { Time } from '../../parts/time';
import classes from './attention.module.css';
import type { Router } from '../../api/types';
import type { RoutersResult } from './routers-today';

/** Routers that warn, gave nothing to anybody all day, or have a change that is not published. */
export function Attention({ routers: { data, error, isPending, refetch } }: { routers: RoutersResult }) {
  const { t } = useTranslation();
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const noted = data.routers.filter(
    ({ status }) => status?.draft != null || (status?.warnings.length ?? 0) > 0 || gaveNothing(status),
  );
  if (noted.length === 0) return <Empty title={t('today.nothing')}>{t('today.nothing_text')}</Empty>;
  return (
    <Some rows={noted} step={20}>
      {(some) => (
        <ul className={classes.list}>
          {some.map(({ row: { id, name, status } }) => (
            <li key={id}>
              <AppLink to="/routers/$router" params={{ router: id }}>
                {name}
              </AppLink>
              <ul>
                {status?.warnings.map((warning) => (
                  <li key={warning} className="caution">
                    {warning}
                  </li>
                ))}
                {gaveNothing(status) && (
                  <li className="caution">{t('today.gave_nothing', { count: status?.refused })}</li>
                )}
                {status?.draft != null && (
                  <li>
                    {t('today.draft')} <Time at={status.draft.since} />
                  </li>
                )}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </Some>
  );
}

/** Whether a router has assigned none of the records that it got in 24 hours. */
function gaveNothing(status: Router['status']): boolean {
  return status !== undefined && status.assigned === 0 && status.refused > 0;
}
