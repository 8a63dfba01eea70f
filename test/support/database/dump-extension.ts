import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tables with what is hard to carry over. The names are in the wrong order for their foreign keys. */
const UP = [
  `CREATE TABLE z_parent (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number serial, text text, twice int GENERATED ALWAYS AS (number * 2) STORED,
    bytes bytea, amount numeric, ratio float8, at timestamptz, lasts interval, span int4range, list text[], json jsonb)`,
  'CREATE TABLE a_child (id int PRIMARY KEY, parent int REFERENCES z_parent, elder int REFERENCES a_child)',
  'CREATE TABLE circle_a (id int PRIMARY KEY, other int)',
  'CREATE TABLE circle_b (id int PRIMARY KEY, other int REFERENCES circle_a)',
  'ALTER TABLE circle_a ADD CONSTRAINT circle FOREIGN KEY (other) REFERENCES circle_b DEFERRABLE',
  'CREATE TABLE parted (id int, text text) PARTITION BY RANGE (id)',
  'CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (10)',
  'CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (10) TO (20)',
  'CREATE SCHEMA extra',
  'CREATE TABLE extra."Odd ""name" ("a column" text)',
  `CREATE TABLE seeded AS SELECT 'by the migration' AS text`,
  'CREATE TABLE audit (text text)',
  `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO audit VALUES (TG_NAME); RETURN NEW; END $$`,
  'CREATE TRIGGER noted AFTER INSERT ON z_parent FOR EACH ROW EXECUTE FUNCTION note()',
  'CREATE TRIGGER silent AFTER INSERT ON z_parent FOR EACH ROW EXECUTE FUNCTION note()',
  'ALTER TABLE z_parent DISABLE TRIGGER silent',
  'CREATE TRIGGER always AFTER INSERT ON z_parent FOR EACH ROW EXECUTE FUNCTION note()',
  'ALTER TABLE z_parent ENABLE ALWAYS TRIGGER always',
];

/** Rows for the tables. */
export const EXTENSION_ROWS = `
  INSERT INTO z_parent (text, bytes, amount, ratio, at, lasts, span, list, json) VALUES
    (E'a\\ttab, a\\nnewline, a\\rreturn, a \\\\. and a \\\\N', '\\x00ff0a5c', 'NaN', 0.1::float8 + 0.2, 'infinity',
     '1 year 2 mons -3 days 04:05:06.789', '[1,5)', ARRAY['x', NULL, '{"}'], '{"a": [1, null, "ü\\u2028"]}'),
    (NULL, NULL, 12345678901234567890.123456789, '-Infinity', '0044-03-15 BC', NULL, 'empty', '{}', 'null'),
    ('', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  INSERT INTO a_child VALUES (1, 3, 2), (2, NULL, NULL);
  INSERT INTO circle_a VALUES (1, NULL); INSERT INTO circle_b VALUES (1, 1); UPDATE circle_a SET other = 1;
  INSERT INTO parted VALUES (1, 'low'), (11, 'high');
  INSERT INTO extra."Odd ""name" VALUES ('odd');
  INSERT INTO seeded VALUES ('by the service')`;

/** Writes the module of an extension with these tables. @returns the value of EXTENSIONS */
export function writeExtension(folder: string): string {
  const path = join(folder, 'extension.cjs');
  writeFileSync(
    path,
    `class CreateOdd1764900000000 {
      name = 'CreateOdd1764900000000';
      async up(runner) { for (const statement of ${JSON.stringify(UP)}) await runner.query(statement); }
      async down() {}
    }
    module.exports = { name: 'odd', migrations: [CreateOdd1764900000000] };`,
  );
  return path;
}
