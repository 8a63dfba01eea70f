import { useTranslation } from 'react-i18next';
import type { User } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { isDay } from '../../model/week';
import { localIn } from '../../model/zone';
import { useNow } from '../../parts/time';

/** What is still to come of the absences and holidays of a person. */
export function Absences({ user: { out_of_office: absences, holidays, timezone } }: { user: User }) {
  const { t } = useTranslation();
  const { exact } = useFormats(timezone);
  // A day is the same wherever one looks.
  const { day } = useFormats('UTC');
  const now = useNow();
  const today = localIn(timezone, now.getTime()).day;
  const isToCome = ({ to }: { to: string }) => (isDay(to) ? to >= today : Date.parse(to) > now.getTime());
  const shown = (value: string) =>
    isDay(value) ? day(new Date(`${value}T12:00:00Z`)) : exact(new Date(value));
  const coming = absences.filter(isToCome);
  const own = holidays.filter((holiday) => holiday >= today);
  if (coming.length === 0 && own.length === 0)
    return <span className="quiet">{t('people.one.no_absences')}</span>;
  return (
    <>
      {coming.map(({ from, to }, index) => (
        <div key={index}>{from === to ? shown(from) : `${shown(from)} – ${shown(to)}`}</div>
      ))}
      {own.length > 0 && <div>{`${t('people.one.holidays')}: ${own.map(shown).join(', ')}`}</div>}
    </>
  );
}
