import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Writes times by JSON instead of `to_char`, so that a list of 100 records costs PostgreSQL a tenth less
 * (ADR 7). The text is the same for the years 1 to 9999.
 */
export class WriteTimes1766800000000 implements MigrationInterface {
  name = 'WriteTimes1766800000000';

  async up(runner: QueryRunner): Promise<void> {
    // JSON drops zeros at the end. A microsecond more keeps those of the milliseconds; `substr` cuts it off.
    await runner.query(`CREATE OR REPLACE FUNCTION iso_utc(at timestamptz) RETURNS text
      LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT substr(to_json(
          date_trunc('milliseconds', at AT TIME ZONE 'UTC') + interval '1 microsecond'
        )::text, 2, 23) || 'Z'
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION iso_utc(at timestamptz) RETURNS text
      LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      $$`);
  }
}
