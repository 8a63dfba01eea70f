import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that serve, of which each says that it runs. */
export class CreateProcesses1796020000000 implements MigrationInterface {
  name = 'CreateProcesses1796020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE UNLOGGED TABLE processes (
      id uuid NOT NULL,
      release text NOT NULL,
      started_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      CONSTRAINT processes_pkey PRIMARY KEY (id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE processes');
  }
}
