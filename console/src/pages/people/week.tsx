import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { daysOf, type Part } from '../../model/week';
import { clock, nextChange, ownZone } from '../../model/zone';
import { useNow } from '../../parts/time';
import classes from './week.module.css';

const HOURS = [0, 6, 12, 18, 24];

/** The next seven days: a bar of each, in their time, with the same hours in the time of whoever looks. */
export function Week({ user }: { user: User }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const zone = ownZone();
  const isSame = zone === user.timezone;
  const weekday = new Intl.DateTimeFormat(i18n.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return (
    <>
      <Text size="sm" c="dimmed">
        {isSame
          ? t('people.one.same_zone', { zone })
          : `${t('people.one.theirs', { zone: user.timezone })} · ${t('people.one.mine', { zone })}`}
      </Text>
      {user.working_hours === null && <Text size="sm">{t('people.one.always')}</Text>}
      <div className={classes.week}>
        <div className={classes.scale} aria-hidden>
          {HOURS.map((hour) => (
            <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
              {hour}
            </span>
          ))}
        </div>
        {daysOf(user, zone, now).map(({ day, hours, away, here }) => (
          <div key={day} className={classes.day}>
            <span className={classes.name}>{weekday.format(Date.parse(day))}</span>
            <span className={classes.bar} aria-hidden>
              {hours.map((part) => (
                <span key={part.start} className={classes.hours} style={placeOf(part)} />
              ))}
              {away.map((part) => (
                <span key={part.start} className={classes.away} style={placeOf(part)} />
              ))}
            </span>
            <span className={classes.times}>
              {hours.length === 0 && t('people.one.closed')}
              {hours.map((part, index) => (
                <span key={part.start}>
                  {textOf(part)}
                  {here[index] !== textOf(part) && (
                    <span className="quiet"> {t('people.one.hours_here', { hours: here[index] ?? '' })}</span>
                  )}
                </span>
              ))}
              {away.map((part) => (
                <span key={part.start} className="bad">
                  {`${t('people.one.away')} ${textOf(part)}`}
                </span>
              ))}
            </span>
          </div>
        ))}
      </div>
      <NextChange zone={user.timezone} now={now} />
    </>
  );
}

function NextChange({ zone, now }: { zone: string; now: Date }) {
  const { t } = useTranslation();
  const { exact } = useFormats(zone);
  const change = nextChange(zone, Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  if (change === null) return <Text size="sm">{t('people.one.no_change')}</Text>;
  const values = { count: Math.abs(change.minutes), when: exact(new Date(change.at)) };
  return (
    <Text size="sm" mt="xs">
      {change.minutes > 0 ? t('people.one.change_forward', values) : t('people.one.change_back', values)}
    </Text>
  );
}

function textOf({ start, end }: Part): string {
  return `${clock(start)}–${clock(end)}`;
}

function placeOf({ start, end }: Part) {
  return { insetInlineStart: `${start / 14.4}%`, width: `${(end - start) / 14.4}%` };
}
