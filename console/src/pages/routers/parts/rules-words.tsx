import { Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content, Pool, Rule, Step } from '../model/content';
import { stagesOf } from '../model/stages';
import type { Field } from '../../../api/types';
import { Some } from '../../../parts/some';
import { StagesWords } from './words';
import { TriggerWords } from '../../../parts/conditions/condition-words';
import classes from './rules-words.module.css';

/** How many rules are shown at first, in words and to edit. */
export const RULES_SHOWN = 50;

/** The rules of a router as a numbered list: which records, and who gets them. */
export function RulesWords({ content, fields }: { content: Content; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const { rules = [], no_rule_matched: otherwise } = content;
  if (rules.length === 0) return <>{t('routers.no_rules')}</>;
  const [first] = stagesOf(content);
  const unmatched = otherwise === 'default_user' ? 'backup' : 'nobody';
  const rest = first === undefined ? unmatched : first.place === 0 ? 'own_pool' : 'steps';
  const { users, teams, distribution_model, rotation_type, steps } = content;
  return (
    <>
      <Some rows={rules} step={RULES_SHOWN} textOf={(rule) => JSON.stringify(rule)}>
        {(some) => (
          <ol className={classes.rules}>
            {some.map(({ row: rule, place }) => (
              <RuleWords
                key={rule.id ?? place}
                {...{ rule, place, fields, users, teams, distribution_model, rotation_type, steps }}
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

type RuleProps = Pool & {
  rule: Rule;
  place: number;
  fields: readonly Field[];
  steps?: Step[] | undefined;
};

/** One rule, with the router’s pool and steps: drawn again only where one of them has changed. */
const RuleWords = memo(function RuleWords({ rule, place, fields, ...router }: RuleProps) {
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
          <StagesWords stages={stagesOf(router as Content, rule)} />
        )}
      </div>
    </li>
  );
});
