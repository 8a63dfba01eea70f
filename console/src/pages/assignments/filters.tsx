import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routerQuery } from '../../api/queries';
import { useAccess } from '../../app/access';
import { isRelative } from '../../model/span';
import { Choice } from '../../parts/choice';
import { FilterBar } from '../../parts/filter-bar';
import { PersonFinder, RouterFinder } from '../../parts/finders';
import type { AssignmentSearch } from './filter';

const SPANS = ['1h', '24h', '7d', '30d'] as const;

interface FiltersProps {
  search: AssignmentSearch;
  set: (changes: AssignmentSearch) => void;
}

export function Filters({ search, set }: FiltersProps) {
  const { t } = useTranslation();
  const may = useAccess();
  const { view: _view, follow: _follow, ...filters } = search;
  const none = Object.fromEntries(Object.keys(filters).map((key) => [key, undefined]));
  return (
    <FilterBar active={Object.keys(filters).length > 0} clear={() => set(none)}>
      <RouterFinder
        label={t('assignments.router')}
        value={search.router}
        onChange={(router) => set({ router, rule: undefined, step: undefined })}
      />
      {search.router !== undefined && <RuleFilters search={search} set={set} router={search.router} />}
      {may('directory:read') && (
        <PersonFinder
          label={t('assignments.person')}
          value={search.user}
          onChange={(user) => set({ user })}
        />
      )}
      <Choice
        label={t('assignments.reason')}
        value={search.reason}
        onChange={(reason) => set({ reason })}
        options={Object.entries(t('engine.reasons', { returnObjects: true }))}
      />
      <Choice
        label={t('assignments.outcome')}
        value={search.assigned === undefined ? undefined : String(search.assigned)}
        onChange={(value) => set({ assigned: value === undefined ? undefined : value === 'true' })}
        options={[
          ['true', t('assignments.assigned')],
          ['false', t('assignments.refused')],
        ]}
      />
      <TimeFilter search={search} set={set} />
    </FilterBar>
  );
}

function RuleFilters({ search, set, router }: FiltersProps & { router: string }) {
  const { t } = useTranslation();
  const settings = useQuery(routerQuery(router)).data?.settings;
  const rules = settings?.rules ?? [];
  const own = rules.find(({ name }) => name === search.rule)?.steps ?? settings?.steps ?? [];
  return (
    <>
      {rules.length > 0 && (
        <Choice
          label={t('assignments.rule')}
          value={search.rule}
          onChange={(rule) => set({ rule })}
          options={rules.map(({ name }) => [name, name])}
        />
      )}
      {own.length > 0 && (
        <Choice
          label={t('assignments.step')}
          value={search.step === undefined ? undefined : String(search.step)}
          onChange={(step) => set({ step: step === undefined ? undefined : Number(step) })}
          options={[
            ['0', t('assignments.own_pool')],
            ...own.map(({ name }, index): [string, string] => [
              String(index + 1),
              name ?? t('assignments.step_n', { step: index + 1 }),
            ]),
          ]}
        />
      )}
    </>
  );
}

function TimeFilter({ search: { from, to }, set }: FiltersProps) {
  const { t } = useTranslation();
  const isSpan = isRelative(from) && to === undefined;
  const isOpen = !isSpan && (from !== undefined || to !== undefined);
  return (
    <>
      <Choice
        label={t('assignments.time')}
        value={isSpan ? from : isOpen ? 'dates' : undefined}
        onChange={(span) =>
          set({ from: span === 'dates' ? today() : span, to: span === 'dates' ? today() : undefined })
        }
        options={[
          ...SPANS.map((span): [string, string] => [span, t(`assignments.times.${span}`)]),
          ['dates', t('assignments.times.dates')],
        ]}
      />
      {isOpen && (
        <>
          <TextInput
            type="date"
            label={t('assignments.from')}
            value={from?.slice(0, 10) ?? ''}
            max={to}
            onChange={(event) => set({ from: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('assignments.to')}
            value={to?.slice(0, 10) ?? ''}
            min={from}
            onChange={(event) => set({ to: event.currentTarget.value || undefined })}
          />
        </>
      )}
    </>
  );
}

/** The day here, as a date field has it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
