import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PersonLink } from '../../../parts/links';
import { Some } from '../../../parts/some';
import { useFormats } from '../../../i18n/format';
import type { Stage } from '../model/stages';
import classes from './words.module.css';

/** The pools that are tried one after the other, each with who takes turns in it. */
export function StagesWords({ stages }: { stages: readonly Stage[] }) {
  const { t } = useTranslation();
  return (
    <>
      {stages.map((stage, index) => (
        <Text key={stage.place} inherit component={index === 0 ? 'span' : 'div'}>
          {stage.place > 0 && (
            <Text span size="sm" c="dimmed">
              {index > 0 && `${t('routers.then')} `}
              {stage.name ?? t('routers.step_n', { n: stage.place })}:{' '}
            </Text>
          )}
          <PoolWords stage={stage} />
        </Text>
      ))}
    </>
  );
}

/** Who takes turns in a pool, and how; in grey, what is the router’s or the rule’s. */
function PoolWords({ stage: { users, teams, model, rotation, from } }: { stage: Stage }) {
  const { t, i18n } = useTranslation();
  const { number } = useFormats();
  const key = `routers.models.${model}`;
  const modelWords = i18n.exists(key) ? t(key as 'routers.models.percentage') : model;
  const byTeams = rotation === 'teams' && model !== 'load balanced';
  const share = (percentage?: number) => (percentage === undefined ? '' : ` ${number(percentage)} %`);
  if (users.length + teams.length === 0) return <span className="caution">{t('routers.nobody_named')}</span>;
  return (
    <span className={from === undefined ? undefined : classes.inherited}>
      <Some rows={users} step={20}>
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
      {teams.map(({ name, percentage }, index) => (
        <span key={name}>
          {(index > 0 || users.length > 0) && ', '}
          {t('routers.team', { name })}
          {share(percentage)}
        </span>
      ))}
      <Text span size="sm" c="dimmed">
        {` · ${modelWords}${byTeams ? `, ${t('routers.by_teams')}` : ''}`}
        {from !== undefined && ` · ${t(`routers.inherited.${from}`)}`}
      </Text>
    </span>
  );
}
