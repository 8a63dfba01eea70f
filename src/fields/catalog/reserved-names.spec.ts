import { assignedDateOf, customNameProblem, isSystemManaged } from './reserved-names.js';

describe('isSystemManaged', () => {
  it.each([
    'id',
    'archived',
    'archived_by',
    'created_at',
    'updated_at',
    'record_id',
    'create_date',
    'last_modified_date',
    'contact_owner_assigned_date',
    'anything_owner_assigned_date',
    '_owner_assigned_date',
  ])('%s is', (name) => {
    expect(isSystemManaged(name)).toBe(true);
  });

  it.each([
    '',
    'ID',
    'email',
    'owner_assigned_date',
    'contact_owner_assigned_date_',
    'assigned_date',
    'constructor',
  ])('%j is not', (name) => {
    expect(isSystemManaged(name)).toBe(false);
  });
});

describe('customNameProblem', () => {
  const others = [
    { internalName: 'account_manager', type: 'user' },
    { internalName: 'rep_assigned_date', type: 'datetime' },
    { internalName: 'amount', type: 'number' },
  ];

  it.each(['a', 'lead_score', 'x9', 'constructor', 'amount_assigned_date', 'a'.repeat(63)])(
    'allows %j',
    (name) => {
      expect(customNameProblem({ internalName: name, type: 'string' }, others)).toBeUndefined();
    },
  );

  it.each(['', '9a', '_a', 'Lead', 'lead score', 'lead-score', 'é', '__proto__', 'a\n', 'a'.repeat(64)])(
    'refuses the spelling %j',
    (name) => {
      expect(customNameProblem({ internalName: name, type: 'string' }, others)).toBe(
        'internal_name must be 1 to 63 lower-case letters, digits and underscores, and start with a letter',
      );
    },
  );

  it.each(['id', 'record_id', 'sales_owner_assigned_date', 'account_manager_assigned_date'])(
    'reserves %s',
    (name) => {
      expect(customNameProblem({ internalName: name, type: 'string' }, others)).toBe(
        `internal_name ${name} is reserved`,
      );
    },
  );

  it('refuses a user field whose assigned date is another field', () => {
    expect(customNameProblem({ internalName: 'rep', type: 'string' }, others)).toBeUndefined();
    expect(customNameProblem({ internalName: 'rep', type: 'user' }, others)).toBe(
      `internal_name rep would reserve ${assignedDateOf('rep')}, which is a field already`,
    );
  });
});
