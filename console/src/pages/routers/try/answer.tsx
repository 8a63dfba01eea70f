import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ObjectType } from '../../../api/records';
import type { Simulation } from '../../../api/types';
import { explain, peopleIn, sentence } from '../../../model/explain';
import { useSay } from '../../../parts/names';
import { TraceLines } from '../../../parts/trace-lines';

interface AnswerProps {
  result: Simulation;
  type: ObjectType;
  /** What the pool of the router itself is called. */
  router: string;
}

/** What the service has answered: who and why in a sentence, then each step. */
export function Answer({ result, type, router }: AnswerProps) {
  const { t } = useTranslation();
  const { trace, reason, success } = result;
  const user = result.user ?? null;
  const say = useSay([...new Set([...(user === null ? [] : [user]), ...peopleIn(trace)])]);
  const rules = trace.find((step) => step.step === 'rules');
  const pool = rules?.matched ?? router;
  return (
    <>
      <Text fw={600} mb="xs">
        {success && user !== null ? say.person(user) : t('common.nobody')}
      </Text>
      <Text size="sm" mb="sm">
        {sentence({ user: success ? user : null, reason, trace, pool }, say)}
      </Text>
      <TraceLines lines={explain(trace, say)} objectType={type} say={say} />
    </>
  );
}
