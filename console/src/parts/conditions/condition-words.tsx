import { useTranslation } from 'react-i18next';
import type { Field } from '../../api/fields';
import { useFormats } from '../../i18n/format';
import { shownValues, takesAll, type Condition, type Trigger } from './trigger';

/** A condition in words: “Country is one of GB, DE”. */
export function useConditionWords(fields: readonly Field[]): (condition: Condition) => string {
  const { t, i18n } = useTranslation();
  const { list } = useFormats();
  return ({ field, operator, value }) => {
    const known = fields.find(({ internal_name }) => internal_name === field);
    const key = `engine.operators.${operator}`;
    const verb = i18n.exists(key) ? t(key as 'engine.operators.eq') : operator;
    return [known?.label ?? field, verb, list(shownValues(known, value))]
      .filter((word) => word !== '')
      .join(' ');
  };
}

/** Which records a trigger takes, in words. */
export function TriggerWords({ trigger, fields }: { trigger: Trigger; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const words = useConditionWords(fields);
  if (takesAll(trigger)) return <span>{t('routers.takes_all')}</span>;
  return (
    <span>
      {trigger.groups.map(({ conditions }, group) => (
        <span key={group}>
          {group > 0 && <strong> {t('routers.or')} </strong>}
          {conditions.map((condition, index) => (
            <span key={index}>
              {index > 0 && <strong> {t('routers.and')} </strong>}
              {words(condition)}
            </span>
          ))}
        </span>
      ))}
    </span>
  );
}
