import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { refresh } from '../../api/queries';
import type { ObjectType } from '../../api/records';
import { word } from '../../model/say';
import { AppLink } from '../../parts/app-link';
import { RouterFinder } from '../../parts/finders';
import { PersonLink } from '../../parts/links';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { staleWith } from './queries';

/** Lets a router decide who gets the record now. Before, it says who would. */
export function Dispatch({ type, id }: { type: ObjectType; id: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [router, choose] = useState<string>();
  const body = { router_id: router ?? '', object_id: id };
  const dispatch = useMutation({
    mutationFn: () => answer(api.POST('/dispatch/router', { body })),
    onSettled: () => refresh(client, [...staleWith(type, id), ['assignments']]),
  });
  const { data: result } = dispatch;
  const trial = useQuery({
    queryKey: ['record', type, id, 'dispatch', router],
    queryFn: () => answer(api.POST('/dispatch/simulate', { body })),
    enabled: router !== undefined && result === undefined,
  });
  return (
    <Section title={t('records.dispatch')}>
      <Group align="flex-end" gap="xs">
        <RouterFinder
          label={t('records.router')}
          placeholder={t('common.none')}
          type={type}
          value={router}
          onChange={(next) => {
            dispatch.reset();
            choose(next);
          }}
        />
        <Button
          variant="default"
          disabled={router === undefined || result !== undefined}
          loading={dispatch.isPending}
          onClick={() => dispatch.mutate()}
        >
          {t('records.dispatch')}
        </Button>
      </Group>
      {trial.error !== null && <Problem error={trial.error} title={t('records.dispatch_failed')} />}
      {dispatch.error !== null && <Problem error={dispatch.error} title={t('records.dispatch_failed')} />}
      <div role="status">
        {result === undefined && trial.data !== undefined && (
          <Text size="sm" mt="xs">
            {t('records.would_get')} <Said {...trial.data} />
          </Text>
        )}
        {result !== undefined && (
          <Text size="sm" mt="xs">
            <Said {...result} />
            {' · '}
            <AppLink to="/assignments/$assignment" params={{ assignment: result.assignment_id }}>
              {t('records.why')}
            </AppLink>
          </Text>
        )}
      </div>
    </Section>
  );
}

/** Who gets the record, and by what. */
function Said(decision: { success: boolean; reason: string; user?: string | null }) {
  const { t } = useTranslation();
  return (
    <>
      {decision.success && typeof decision.user === 'string' ? (
        <PersonLink email={decision.user} named />
      ) : (
        t('common.nobody')
      )}
      {`: ${word(t, 'reasons', decision.reason)}`}
    </>
  );
}
