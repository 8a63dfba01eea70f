import { CloseButton, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { teamsQuery, usersQuery } from '../../../api/queries';
import { type Pool } from '../model/content';
import { namesPeople } from '../model/stages';
import { totalOf } from '../model/shares';
import type { Stage } from '../model/stages';
import { replaced } from '../../../parts/lists';
import { Some } from '../../../parts/some';
import classes from './editors.module.css';

interface PoolEditorProps<P extends Pool> {
  pool: P;
  /** How the rule or router that it belongs to gives turns; left out for the router's own. */
  from?: Pool | undefined;
  /** What it belongs to. */
  of?: 'rule' | 'router';
  /** What is tried in its place; undefined for nothing. */
  stage?: Stage | undefined;
  onChange: (pool: P) => void;
}

const MODELS = ['round robin', 'percentage', 'load balanced'] as const;

/** Who takes turns, and how. */
export function PoolEditor<P extends Pool>({ pool, from, of, stage, onChange }: PoolEditorProps<P>) {
  const { t } = useTranslation();
  const { users = [], teams = [] } = pool;
  const model = pool.distribution_model ?? from?.distribution_model ?? 'round robin';
  const isShared = model === 'percentage';
  const total = totalOf([...users, ...teams]);
  const change = (changes: Pool) => {
    const next = { ...pool, ...changes };
    // Of a rule and a step, empty lists are refused: leaving both out takes the pool of what they belong to.
    if (from !== undefined && !namesPeople(next)) {
      delete next.users;
      delete next.teams;
    }
    onChange(next);
  };
  return (
    <Stack gap="xs">
      <div>
        <Some rows={users} step={50} textOf={({ email }) => email} reveal={users.length - 1}>
          {(some) =>
            some.map(({ row: user, place }) => (
              <Member
                key={user.email}
                name={user.email}
                percentage={isShared ? (user.percentage ?? null) : undefined}
                onChange={(member) =>
                  change({ users: replaced(users, place, member && { ...user, ...member }) })
                }
              />
            ))
          }
        </Some>
        {teams.map((team, index) => (
          <Member
            key={team.name}
            name={t('routers.team', { name: team.name })}
            percentage={isShared ? (team.percentage ?? null) : undefined}
            onChange={(member) => change({ teams: replaced(teams, index, member && { ...team, ...member }) })}
          />
        ))}
        {!namesPeople(pool) && (
          <Text size="sm" c="dimmed">
            {t(of === undefined ? 'routers.nobody_named' : unnamed(stage))}
          </Text>
        )}
        {isShared && namesPeople(pool) && (
          <Text size="sm" className={total === 100 ? undefined : 'bad'}>
            {t('routers.total', { total })}
          </Text>
        )}
      </div>
      <Group gap="xs" align="flex-end">
        <AddUser
          taken={users.map(({ email }) => email)}
          add={(email) => change({ users: [...users, { email }] })}
        />
        <AddTeam
          taken={teams.map(({ name }) => name)}
          add={(name) => change({ teams: [...teams, { name }] })}
        />
      </Group>
      <Group gap="xs" align="flex-end">
        <OwnOr
          label={t('routers.model')}
          value={pool.distribution_model}
          of={of}
          options={[...MODELS.filter((known) => known !== model), model].map((value) => ({
            value,
            label: t(`routers.models.${value as (typeof MODELS)[number]}`, { defaultValue: value }),
          }))}
          onChange={(value) => change({ distribution_model: value })}
        />
        {model !== 'load balanced' && (
          <OwnOr
            label={t('routers.rotation')}
            value={pool.rotation_type}
            of={of}
            options={(['users', 'teams'] as const).map((value) => ({
              value,
              label: t(`routers.rotations.${value}`),
            }))}
            onChange={(value) => change({ rotation_type: value } as Pool)}
          />
        )}
      </Group>
    </Stack>
  );
}

/** What happens where nobody is named: the key of its words. */
function unnamed(stage: Stage | undefined) {
  if (stage === undefined) return 'routers.pool_left_out';
  if (stage.users.length + stage.teams.length === 0) return 'routers.nobody_named';
  return `routers.pool_of.${stage.from ?? 'router'}` as const;
}

interface OwnOrProps {
  label: string;
  value: string | undefined;
  of: 'rule' | 'router' | undefined;
  options: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** A choice that a rule or step may leave to what it belongs to. */
function OwnOr({ label, value, of, options, onChange }: OwnOrProps) {
  const { t } = useTranslation();
  const sorted = [...options].sort((one, other) => one.label.localeCompare(other.label));
  return (
    <Select
      label={label}
      data={of === undefined ? sorted : [{ value: '', label: t(`routers.as.${of}`) }, ...sorted]}
      value={value ?? ''}
      allowDeselect={false}
      onChange={(next) => onChange(next === '' || next === null ? undefined : next)}
    />
  );
}

interface MemberProps {
  name: ReactNode & string;
  /** Left out where the model has no shares; null where none is set. */
  percentage: number | null | undefined;
  onChange: (member: { percentage?: number } | undefined) => void;
}

function Member({ name, percentage, onChange }: MemberProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.member}>
      <Text size="sm">{name}</Text>
      {percentage === undefined ? (
        <span />
      ) : (
        <NumberInput
          aria-label={t('routers.share_of', { name })}
          size="xs"
          min={0}
          max={100}
          suffix=" %"
          value={percentage ?? ''}
          onChange={(value) => onChange({ percentage: Number(value) })}
        />
      )}
      <CloseButton aria-label={t('routers.remove_member', { name })} onClick={() => onChange(undefined)} />
    </div>
  );
}

interface AddProps {
  taken: readonly string[];
  add: (name: string) => void;
}

function AddUser({ taken, add }: AddProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const { data } = useQuery(usersQuery(q));
  const found = (data?.data ?? []).map(({ email, name }) => ({ value: email, label: name ?? email }));
  return <Add label={t('routers.add_user')} {...{ taken, add, found, typed, setTyped }} />;
}

function AddTeam({ taken, add }: AddProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const { data } = useQuery(teamsQuery(q));
  const found = (data?.data ?? []).map(({ name }) => ({ value: name, label: name }));
  return <Add label={t('routers.add_team')} {...{ taken, add, found, typed, setTyped }} />;
}

interface AddFoundProps extends AddProps {
  label: string;
  found: { value: string; label: string }[];
  typed: string;
  setTyped: (typed: string) => void;
}

/** Adds what is chosen at once, and is empty again. */
function Add({ label, taken, add, found, typed, setTyped }: AddFoundProps) {
  return (
    <Select
      label={label}
      size="xs"
      data={found.filter(({ value }) => !taken.includes(value))}
      value={null}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has found them, by words that the label need not have.
      filter={({ options }) => options}
      onChange={(value) => {
        if (value !== null) add(value);
        setTyped('');
      }}
    />
  );
}
