import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchTextFunction } from './1766000000000-search-records.js';
import { changeBriefly } from './online-schema.js';

const LAST_MARK = 0xe01ef;

/** All combining marks, as the class of a regular expression. They take 50 ms, so no start asks for them. */
function marks(): string {
  const escaped = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
  let ranges = '';
  for (let code = 0x300; code <= LAST_MARK; code++) {
    if (!isMark(code)) continue;
    const first = code;
    while (isMark(code + 1)) code++;
    ranges += first === code ? escaped(first) : `${escaped(first)}-${escaped(code)}`;
  }
  return `[${ranges}]`;
}

const isMark = (code: number): boolean => /\p{M}/u.test(String.fromCodePoint(code));

/**
 * PostgreSQL takes quadratic time to compose a run of marks, and cannot be interrupted. A run of 20 has more
 * than 14 after it, which was refused then: so no text gets another form.
 */
const guard = (): string => `IF octet_length(value) > 256 AND value ~ '${marks()}{20}' THEN
      RETURN E'\\u0001';
    END IF;
    `;

/** Lets PostgreSQL compose no text with a long run of marks. No row is read or written. */
export class RefuseRunsOfMarks1766500000000 implements MigrationInterface {
  name = 'RefuseRunsOfMarks1766500000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [searchTextFunction(guard())]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [searchTextFunction('')]);
  }
}
