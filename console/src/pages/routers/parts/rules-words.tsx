import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { namesPeople, type Content } from '../model/content';
import type { Field } from '../../../api/types';
import { PoolWords } from './words';
import { TriggerWords } from '../../../parts/conditions/condition-words';
import classes from './rules-words.module.css';

/** The rules of a router as a numbered list: which records, and who gets them. */
export function RulesWords({ content, fields }: { content: Content; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const { rules = [], no_rule_matched: otherwise } = content;
  if (rules.length === 0) return <>{t('routers.no_rules')}</>;
  const rest = namesPeople(content) ? 'own_pool' : otherwise === 'default_user' ? 'backup' : 'nobody';
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
                <PoolWords pool={rule} from={content} />
              )}
              {(rule.steps ?? []).map((step, n) => (
                <div key={n}>
                  <Text span size="sm" c="dimmed">
                    {t('routers.then')} {step.name ?? t('routers.step_n', { n: n + 1 })}:{' '}
                  </Text>
                  <PoolWords pool={step} from={rule} />
                </div>
              ))}
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
