import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '../api/fields';
import type { ObjectType } from '../api/records';
import { useAccess } from '../app/access';
import { useFormats } from '../i18n/format';
import type { Condition, Line } from '../model/explain';
import { word, type Say } from '../model/say';
import { DataTable } from './data-table';
import { PersonLink } from './links';
import { Some } from './some';
import classes from './trace-lines.module.css';

interface TraceLinesProps {
  lines: readonly Line[];
  objectType: ObjectType;
  say: Say;
}

const MARKS = {
  true: { sign: '✓', tone: 'good', said: 'yes' },
  false: { sign: '✗', tone: 'bad', said: 'no' },
  null: { sign: '·', tone: 'plain', said: 'note' },
} as const;

/** The entries of a trace in their order: each with what it saw and whom it weighed. */
export function TraceLines({ lines, objectType, say }: TraceLinesProps) {
  const { t } = useTranslation();
  const may = useAccess()('records:read');
  const fields = useQuery({ ...fieldsQuery(objectType), enabled: may }).data ?? [];
  const label = (field: string) =>
    fields.find(({ internal_name }) => internal_name === field)?.label ?? field;
  return (
    <ol className={classes.lines}>
      {lines.map((line, index) => (
        <li key={index} className={classes.line}>
          <Mark ok={line.ok} />
          <div className={classes.body}>
            <h3 className={classes.heading}>{[word(t, 'steps', line.step), ...line.where].join(' · ')}</h3>
            <p className={classes.text}>{line.text.join(' ')}</p>
            {line.groups !== undefined && <Conditions groups={line.groups} label={label} />}
            {line.passed !== undefined && line.passed.length > 0 && <Passed line={line} label={label} />}
            {line.out !== undefined && <Candidates line={line} say={say} />}
            {line.table !== undefined && <Weighed table={line.table} say={say} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ ok }: { ok: boolean | null }) {
  const { t } = useTranslation();
  const { sign, tone, said } = MARKS[`${ok}`];
  return (
    <span className={`${classes.mark} ${tone}`}>
      <span aria-hidden>{sign}</span>
      <span className="spoken">{t(`assignments.one.${said}`)}</span>
    </span>
  );
}

function Conditions({ groups, label }: { groups: Condition[][]; label: (field: string) => string }) {
  const { t } = useTranslation();
  if (groups.length === 0) return null;
  return (
    <>
      {groups.length > 1 && <p className={classes.note}>{t('assignments.one.any_group')}</p>}
      {groups.map((group, index) => (
        <ul
          key={index}
          className={classes.conditions}
          aria-label={t('assignments.one.group', { number: index + 1 })}
        >
          {group.map((condition, place) => (
            <li key={place}>
              <Mark ok={condition.held} />
              <span>
                {label(condition.field)} {word(t, 'operators', condition.operator)}{' '}
                <strong>{operand(condition.value)}</strong>{' '}
                <span className={classes.note}>
                  {condition.problem !== undefined
                    ? t('assignments.one.problem', { problem: condition.problem })
                    : condition.saw === null
                      ? t('assignments.one.saw_nothing')
                      : t('assignments.one.saw', { value: condition.saw })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      ))}
    </>
  );
}

function operand(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(operand).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Passed({
  line: { passed = [], saw = [] },
  label,
}: {
  line: Line;
  label: (field: string) => string;
}) {
  const { t } = useTranslation();
  return (
    <details className={classes.more}>
      <summary>{t('assignments.one.passed')}</summary>
      <Some rows={passed} step={50}>
        {(some) => (
          <ul>
            {some.map(({ row: { rule, because }, place }) => (
              <li key={place}>
                {rule}: <code>{because.join(' · ')}</code>
              </li>
            ))}
          </ul>
        )}
      </Some>
      <p className={classes.note}>
        {t('assignments.one.values')}:{' '}
        {saw.map(([field, value]) => `${label(field)} = ${value ?? '∅'}`).join(', ')}
      </p>
    </details>
  );
}

function Candidates({ line: { in: present = [], out = [] }, say }: { line: Line; say: Say }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.people}>
      {present.length > 0 && (
        <>
          <dt>{t('assignments.one.available')}</dt>
          <dd>{say.list(present.map(say.person))}</dd>
        </>
      )}
      {out.length > 0 && (
        <>
          <dt>{t('assignments.one.out')}</dt>
          <dd>
            <Some rows={out} step={50}>
              {(some) => (
                <ul>
                  {some.map(({ row: { user, why } }) => (
                    <li key={user}>
                      <PersonLink email={user} named={say.person(user) !== user} />: {why}
                    </li>
                  ))}
                </ul>
              )}
            </Some>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The numbers that decided, with the one who was chosen marked. */
function Weighed({ table: { columns, rows, chosen }, say }: { table: NonNullable<Line['table']>; say: Say }) {
  const { t } = useTranslation();
  const { number, credit } = useFormats();
  const isExact = (column: string) => column === 'last' || column === 'owned' || column === 'max';
  const shown = (column: string, value: string | number | undefined) =>
    typeof value === 'number' ? (isExact(column) ? number : credit)(value) : (value ?? '');
  return (
    <Some rows={rows} step={50} reveal={rows.findIndex(([candidate]) => candidate === chosen)}>
      {(some) => (
        <DataTable<(string | number)[]>
          label={t('engine.steps.distribution')}
          rows={some.map(({ row }) => row)}
          rowKey={([candidate]) => String(candidate)}
          columns={columns.map((column, index) => ({
            key: column,
            heading: word(t, 'columns', column),
            numeric: index > 0,
            cell: (row) => {
              if (index > 0) return shown(column, row[index]);
              const candidate = String(row[0]);
              return candidate === chosen ? (
                <strong>✓ {say.person(candidate)}</strong>
              ) : (
                say.person(candidate)
              );
            },
          }))}
        />
      )}
    </Some>
  );
}
