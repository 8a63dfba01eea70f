import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of NoteEntity. */
export class CreateNotes1764200000000 implements MigrationInterface {
  name = 'CreateNotes1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE notes (
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      text text NOT NULL,
      author text,
      created_at timestamptz NOT NULL,
      closed_at timestamptz,
      CONSTRAINT notes_pkey PRIMARY KEY (account_id, id)
    )`);
    await runner.query('CREATE INDEX notes_contact_idx ON notes (account_id, contact_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}
