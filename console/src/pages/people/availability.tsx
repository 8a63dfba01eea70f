import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { OWNERS, type ObjectType } from '../../api/records';
import type { Now, User } from '../../api/types';
import { useAccess } from '../../app/access';
import { AppLink } from '../../parts/app-link';
import { word } from '../../model/say';
import { notifyOf } from '../../parts/problem';
import { Time } from '../../parts/time';

/** Whether somebody gets records now; if not, why and until when. */
export function NowCell({ person }: { person: User }) {
  const { t } = useTranslation();
  const { now, archived } = person;
  if (archived !== false) return <span className="bad">{t('people.archived')}</span>;
  if (now === undefined) return null;
  if (now.eligible) {
    return (
      <span className="good">
        {now.until === null ? t('people.available') : t('people.available_until')}{' '}
        {now.until !== null && <Time at={now.until} soon />}
      </span>
    );
  }
  return (
    <span>
      <span className="bad">{t('people.out')}</span>
      {now.because !== null && `: ${word(t, 'checks', now.because)}`}
      {now.until !== null && (
        <>
          , {t('people.back')} <Time at={now.until} soon />
        </>
      )}
    </span>
  );
}

/** What they have had of what they may have. */
export function LimitsCell({ now }: { now: Now | undefined }) {
  const { t } = useTranslation();
  if (now === undefined || now.limits.length === 0)
    return <span className="quiet">{t('people.no_limits')}</span>;
  return now.limits.map(({ period, used, max }) => (
    <Used key={period} label={t(`people.periods.${period}`)} used={used} max={max} />
  ));
}

/** How many records a person owns; each number leads to them. */
export function OwnedCell({ now, email }: { now: Now | undefined; email: string }) {
  const { t } = useTranslation();
  const may = useAccess()('records:read');
  if (now === undefined) return null;
  const owned = Object.entries(now.owned).filter(([, count]) => count > 0) as [keyof Now['owned'], number][];
  if (owned.length === 0) return <span className="quiet">{t('people.no_records')}</span>;
  return owned.map(([type, count]) => (
    <div key={type}>
      {`${t(`common.types.${type}`)} `}
      {may ? (
        <AppLink to="/records" search={{ type, filter: ownedBy(type, email) }}>
          {count}
        </AppLink>
      ) : (
        count
      )}
    </div>
  ));
}

/** The filter of the records of an owner, as the address of the list has it. */
function ownedBy(type: ObjectType, email: string): string {
  return JSON.stringify({
    groups: [{ conditions: [{ field: OWNERS[type], operator: 'eq', value: email }] }],
  });
}

export function CapacitiesCell({ now }: { now: Now | undefined }) {
  return now?.capacities.map(({ name, owned, max }) => (
    <Used key={name} label={name} used={owned} max={max} />
  ));
}

function Used({ label, used, max }: { label: string; used: number; max: number }) {
  return (
    <div>
      {label} <span className={used >= max ? 'bad' : undefined}>{`${used}/${max}`}</span>
    </div>
  );
}

/**
 * The switch of a person. It says what is wanted, whatever else somebody changes at the time: so it sends no
 * If-Match, and shows the new state at once.
 */
export function AvailableSwitch({ person: { id, name, email, available } }: { person: User }) {
  const { t } = useTranslation();
  const may = useAccess();
  const client = useQueryClient();
  const who = name ?? email;
  const change = useMutation({
    mutationFn: (wanted: boolean) =>
      answer(api.PATCH('/users/{userId}', { params: { path: { userId: id } }, body: { available: wanted } })),
    onSuccess: (_, wanted) =>
      notifications.show({
        message: t(wanted ? 'people.switched_on' : 'people.switched_off', { name: who }),
      }),
    onError: (error) => notifyOf(t, error, t('common.failed_save')),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
  if (!may('manage') && !may('availability')) return available ? t('common.yes') : t('common.no');
  return (
    <Switch
      size="md"
      checked={change.isPending ? change.variables : available}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
      aria-label={t('people.switch', { name: who })}
    />
  );
}
