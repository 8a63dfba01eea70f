import type { MigrationInterface, QueryRunner } from 'typeorm';

const keepAudit = (unless: string): string => `CREATE OR REPLACE FUNCTION keep_audit() RETURNS trigger
  LANGUAGE plpgsql AS $$
      BEGIN
        ${unless}RAISE EXCEPTION 'entries of the audit are never changed or deleted';
      END
    $$`;

/**
 * Lets a transaction delete entries of the audit that says that it sweeps them. All other changes stay
 * refused.
 */
export class ForgetAudit1795850000000 implements MigrationInterface {
  name = 'ForgetAudit1795850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      keepAudit(`IF TG_OP = 'DELETE' AND current_setting('fairlead.sweeps_audit', true) = 'on' THEN
          RETURN NULL;
        END IF;
        `),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keepAudit(''));
  }
}
