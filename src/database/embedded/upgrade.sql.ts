/** Catalogs of what a role can own in a database, with the column of the owner and a condition. */
const CATALOGS: readonly (readonly [catalog: string, owner: string, condition?: string])[] = [
  ['pg_namespace', 'nspowner'],
  // Indexes and TOAST tables follow their table, and so do the sequences of columns.
  [
    'pg_class',
    'relowner',
    `relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT (relkind = 'S' AND EXISTS (
       SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = found.oid
         AND deptype IN ('a', 'i') AND refobjsubid > 0))`,
  ],
  ['pg_proc', 'proowner'],
  // Array types follow their element, row types their table, multiranges their range.
  [
    'pg_type',
    'typowner',
    `typtype <> 'm' AND NOT (typelem <> 0 AND typsubscript = 'array_subscript_handler'::regproc)
       AND (typrelid = 0 OR EXISTS (SELECT FROM pg_class WHERE oid = typrelid AND relkind = 'c'))`,
  ],
  ['pg_collation', 'collowner'],
  ['pg_conversion', 'conowner'],
  ['pg_operator', 'oprowner'],
  ['pg_opclass', 'opcowner'],
  ['pg_opfamily', 'opfowner'],
  ['pg_statistic_ext', 'stxowner'],
  ['pg_ts_config', 'cfgowner'],
  ['pg_ts_dict', 'dictowner'],
  ['pg_largeobject_metadata', 'lomowner'],
];

/**
 * A query for the objects of a database that the role of initdb owns and that another role can own, as `type`
 * and `identity` of an ALTER statement. REASSIGN OWNED refuses that role, which owns the system's objects,
 * too. Members of an extension stay with it.
 */
export const EARLIER_OBJECTS = `SELECT replace(object.type, 'statistics object', 'statistics') AS type, object.identity FROM (${CATALOGS.map(
  ([catalog, owner, condition = 'true']) =>
    `SELECT ${catalog === 'pg_largeobject_metadata' ? `'pg_largeobject'` : `'${catalog}'`}::regclass AS classid, oid
       FROM ${catalog} AS found WHERE ${owner} = 10 AND oid >= 16384 AND ${condition}`,
).join(' UNION ALL ')}) AS made
  CROSS JOIN LATERAL pg_identify_object(made.classid, made.oid, 0) AS object
  WHERE NOT EXISTS (SELECT FROM pg_depend WHERE classid = made.classid AND objid = made.oid AND deptype = 'e')`;
