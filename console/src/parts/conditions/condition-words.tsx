import { useTranslation } from 'react-i18next';
import type { Field, Trigger } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { word } from '../../model/say';
import { shownValues, takesAll, type Condition } from './trigger';

/** A condition in words: “Country is one of GB, DE”. */
export function useConditionWords(fields: readonly Field[]): (condition: Condition) => string {
  const { t } = useTranslation();
  const { list } = useFormats();
  return ({ field, operator, value }) => {
    const known = fields.find(({ internal_name }) => internal_name === field);
    return [known?.label ?? field, word(t, 'operators', operator), list(shownValues(known, value))]
      .filter((part) => part !== '')
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
