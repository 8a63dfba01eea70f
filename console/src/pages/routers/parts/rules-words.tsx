import { Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { namesPeople, type Content, type Pool, type Rule } from '../model/content';
import type { Field } from '../../../api/types';
import { Some } from '../../../parts/some';
import { PoolWords } from './words';
import { TriggerWords } from '../../../parts/conditions/condition-words';
import classes from './rules-words.module.css';

/** How many rules are shown at first, in words and to edit. */
export const RULES_SHOWN = 50;

/** The rules of a router as a numbered list: which records, and who gets them. */
export function RulesWords({ content, fields }: { content: Content; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const { rules = [], no_rule_matched: otherwise } = content;
  if (rules.length === 0) return <>{t('routers.no_rules')}</>;
  const rest = namesPeople(content) ? 'own_pool' : otherwise === 'default_user' ? 'backup' : 'nobody';
  const { users, teams, distribution_model, rotation_type } = content;
  return (
    <>
      <Some rows={rules} step={RULES_SHOWN} textOf={(rule) => JSON.stringify(rule)}>
        {(some) => (
          <ol className={classes.rules}>
            {some.map(({ row: rule, place }) => (
              <RuleWords
                key={rule.id ?? place}
                {...{ rule, place, fields, users, teams, distribution_model, rotation_type }}
              />
            ))}
          </ol>
        )}
      </Some>
      <Text size="sm" c="dimmed">
        {t(`routers.rest.${rest}`)}
      </Text>
    </>
  );
}

type RuleProps = Pool & { rule: Rule; place: number; fields: readonly Field[] };

/** One rule, and the router’s own pool: drawn again only where one of them has changed. */
const RuleWords = memo(function RuleWords({ rule, place, fields, ...from }: RuleProps) {
  const { t } = useTranslation();
  return (
    <li value={place + 1}>
      <strong>{rule.name}</strong>
      <div>
        <TriggerWords trigger={rule.trigger ?? { groups: [] }} fields={fields} />
      </div>
      <div className={classes.pool}>
        {rule.refuse === true ? (
          <span className="bad">{t('routers.rule_refuses')}</span>
        ) : (
          <PoolWords pool={rule} from={from} />
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
  );
});
