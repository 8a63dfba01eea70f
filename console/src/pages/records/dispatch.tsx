import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { routersQuery } from '../../api/queries';
import type { ObjectType } from '../../api/records';
import { word } from '../../model/say';
import { AppLink } from '../../parts/app-link';
import { RouterFinder } from '../../parts/finders';
import { PersonLink } from '../../parts/links';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';

/** Lets a router decide who gets the record now. */
export function Dispatch({ type, id }: { type: ObjectType; id: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useQuery(routersQuery('', type)).data;
  const [chosen, choose] = useState<string>();
  const router = chosen ?? first?.data.find((one) => one.is_published)?.id;
  const dispatch = useMutation({
    mutationFn: () =>
      answer(api.POST('/dispatch/router', { body: { router_id: router ?? '', object_id: id } })),
    onSettled: () =>
      Promise.all(
        [['record', type, id], ['history', type, id], ['assignments']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const { data: result } = dispatch;
  if (first === undefined || first.pagination.count === 0) return null;
  return (
    <Section title={t('records.dispatch')}>
      <Group align="flex-end" gap="xs">
        <RouterFinder label={t('records.router')} type={type} value={router} onChange={choose} />
        <Button
          variant="default"
          disabled={router === undefined}
          loading={dispatch.isPending}
          onClick={() => dispatch.mutate()}
        >
          {t('records.dispatch')}
        </Button>
      </Group>
      {dispatch.error !== null && <Problem error={dispatch.error} title={t('records.dispatch_failed')} />}
      <div role="status">
        {result !== undefined && (
          <Text size="sm" mt="xs">
            {result.success ? <PersonLink email={result.user} named /> : t('common.nobody')}
            {': '}
            {word(t, 'reasons', result.reason)}
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
