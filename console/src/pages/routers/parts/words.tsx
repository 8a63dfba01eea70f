import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PersonLink } from '../../../parts/links';
import { Some } from '../../../parts/some';
import { useFormats } from '../../../i18n/format';
import { namesPeople, type Pool } from '../model/content';
import classes from './words.module.css';

/** Who takes turns in a pool, and how; in grey, what is the router’s. */
export function PoolWords({ pool, from }: { pool: Pool; from?: Pool | undefined }) {
  const { t, i18n } = useTranslation();
  const { number } = useFormats();
  const own = namesPeople(pool) ? pool : undefined;
  const people = own ?? from;
  const model = pool.distribution_model ?? from?.distribution_model ?? 'round robin';
  const key = `routers.models.${model}`;
  const modelWords = i18n.exists(key) ? t(key as 'routers.models.percentage') : model;
  const byTeams = (pool.rotation_type ?? from?.rotation_type) === 'teams' && model !== 'load balanced';
  const share = (percentage?: number) => (percentage === undefined ? '' : ` ${number(percentage)} %`);
  if (people === undefined || !namesPeople(people))
    return <span className="caution">{t('routers.nobody_named')}</span>;
  return (
    <div className={own === undefined ? classes.inherited : classes.own}>
      <Some rows={people.users ?? []} step={20}>
        {(some) =>
          some.map(({ row: { email, percentage }, place }) => (
            <span key={email}>
              {place > 0 && ', '}
              <PersonLink email={email} named />
              {share(percentage)}
            </span>
          ))
        }
      </Some>
      {(people.teams ?? []).map(({ name, percentage }, index) => (
        <span key={name}>
          {(index > 0 || (people.users ?? []).length > 0) && ', '}
          {t('routers.team', { name })}
          {share(percentage)}
        </span>
      ))}
      <Text span size="sm" c="dimmed">
        {` · ${modelWords}${byTeams ? `, ${t('routers.by_teams')}` : ''}`}
        {own === undefined && ` · ${t('routers.inherited')}`}
      </Text>
    </div>
  );
}
