import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the capacities: how many active records with certain values a user may own. */
export class CreateCapacities1763900000000 implements MigrationInterface {
  name = 'CreateCapacities1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE capacities (
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      object_type text NOT NULL,
      field text NOT NULL,
      "values" text[] NOT NULL,
      users jsonb NOT NULL DEFAULT '[]',
      teams jsonb NOT NULL DEFAULT '[]',
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT capacities_pkey PRIMARY KEY (account_id, id)
    )`);
    await runner.query('CREATE UNIQUE INDEX capacities_name_key ON capacities (account_id, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE capacities');
  }
}
