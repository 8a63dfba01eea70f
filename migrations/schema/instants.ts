/**
 * UUIDv7 (RFC 9562) of `us`, microseconds since 1970: 48 bits of milliseconds, then 12 bits of the fraction
 * of a millisecond (method 3 of section 6.2). Ids made by one database therefore sort in creation order.
 * PostgreSQL has a built-in uuidv7 only from version 18.
 */
const ID = `encode(
      overlay(
        overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send(us / 1000) FROM 3 FOR 6) FROM 1 FOR 6)
        PLACING substring(int8send(28672 + (us % 1000) * 4096 / 1000) FROM 7 FOR 2) FROM 7 FOR 2),
      'hex')::uuid`;

/** Functions of ids and of instants. */
export const INSTANTS = [
  `CREATE FUNCTION uuid_v7(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT ${ID}
    FROM (SELECT (extract(epoch FROM at) * 1000000)::bigint AS us) AS clock
  $$`,

  // The one text form of an instant in stored fields: ISO 8601 UTC with milliseconds, for the years 1 to
  // 9999. By JSON a list of 100 records costs PostgreSQL a tenth less than by `to_char` (ADR 7). JSON drops
  // zeros at the end: a microsecond more keeps those of the milliseconds, and `substr` cuts it off.
  `CREATE FUNCTION iso_utc(at timestamptz) RETURNS text
      LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT substr(to_json(
          date_trunc('milliseconds', at AT TIME ZONE 'UTC') + interval '1 microsecond'
        )::text, 2, 23) || 'Z'
      $$`,
];

/**
 * As these, for writes of a cluster, which take no volatile function, and compute with columns by immutable
 * ones. A function of SQL would be planned at each use, because PostgreSQL puts none in its place whose body
 * is of a wider volatility.
 */
export const INSTANTS_ON_CLUSTER = [
  `CREATE OR REPLACE FUNCTION utc_text(at timestamptz) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    END
  $$`,
  // It is called for each row, because each has an instant of its own.
  `CREATE OR REPLACE FUNCTION id_at(at timestamptz) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
    DECLARE
      us bigint := extract(epoch FROM at) * 1000000;
    BEGIN
      RETURN ${ID};
    END
  $$`,
];
