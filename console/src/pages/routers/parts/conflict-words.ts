import { useTranslation } from 'react-i18next';
import type { Field, Trigger } from '../../../api/types';
import { useFormats } from '../../../i18n/format';
import { useConditionWords } from '../../../parts/conditions/condition-words';
import { takesAll } from '../../../parts/conditions/trigger';
import { shownValue } from '../../../parts/shown-value';
import type { Content, Pool } from '../model/content';
import { listChanges } from '../model/list-changes';

/** Says in words what somebody has made of a setting, against what both have begun with. */
export function useConflictWords(base: Content | undefined, fields: readonly Field[]) {
  const { t } = useTranslation();
  const { list, number } = useFormats();
  const conditionWords = useConditionWords(fields);
  const nameOf = (key: string) => t(`routers.keys.${key as 'name'}`, { defaultValue: key });
  const triggerWords = (trigger: Trigger) =>
    takesAll(trigger)
      ? t('routers.takes_all')
      : trigger.groups
          .map(({ conditions }) => conditions.map(conditionWords).join(` ${t('routers.and')} `))
          .join(` ${t('routers.or')} `);
  const listWords = (before: unknown, after: readonly unknown[]) => {
    const { entries, isMoved } = listChanges(before, after) ?? { entries: [], isMoved: true };
    const changed = entries.map(({ name, what }) =>
      typeof what === 'string'
        ? t(`routers.conflict.${what}`, { name })
        : `${name}: ${list(what.map(nameOf))}`,
    );
    return [...changed, ...(isMoved ? [t('routers.conflict.moved')] : [])].join('; ');
  };
  return (key: string, value: unknown): string => {
    if (value === null || value === undefined) return '–';
    if (key === 'trigger') return triggerWords(value as Trigger);
    if (!Array.isArray(value)) return shownValue(t, value);
    if (key !== 'users') return listWords(base?.[key as 'rules'], value);
    const people = (value as NonNullable<Pool['users']>).map(({ email, percentage }) =>
      percentage === undefined ? email : `${email} ${number(percentage)} %`,
    );
    return list(people) || t('common.none');
  };
}
