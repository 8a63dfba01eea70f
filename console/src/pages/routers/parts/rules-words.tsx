import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Content } from '../model/content';
import { stagesOf } from '../model/stages';
import type { Field } from '../../../api/types';
import { StagesWords } from './words';
import { TriggerWords } from '../../../parts/conditions/condition-words';
import classes from './rules-words.module.css';

/** The rules of a router as a numbered list: which records, and who gets them. */
export function RulesWords({ content, fields }: { content: Content; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const { rules = [], no_rule_matched: otherwise } = content;
  if (rules.length === 0) return <>{t('routers.no_rules')}</>;
  const [first] = stagesOf(content);
  const unmatched = otherwise === 'default_user' ? 'backup' : 'nobody';
  const rest = first === undefined ? unmatched : first.place === 0 ? 'own_pool' : 'steps';
  return (
    <>
      <ol className={classes.rules}>
        {rules.map((rule, place) => (
          <li key={rule.id ?? place}>
            <strong>{rule.name}</strong>
            <div>
              <TriggerWords trigger={rule.trigger ?? { groups: [] }} fields={fields} />
            </div>
            <div className={classes.pool}>
              {rule.refuse === true ? (
                <span className="bad">{t('routers.rule_refuses')}</span>
              ) : (
                <StagesWords stages={stagesOf(content, rule)} />
              )}
            </div>
          </li>
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        {t(`routers.rest.${rest}`)}
      </Text>
    </>
  );
}
