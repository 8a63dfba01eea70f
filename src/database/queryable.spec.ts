import { isRead } from './queryable.js';

it.each([
  'SELECT 1',
  ' \n select a from b',
  'WITH a AS (SELECT 1) SELECT * FROM a',
  'SELECT updated_at FROM a',
])('%s only reads', (text) => expect(isRead({ name: 'x', text })).toBe(true));

it.each([
  'INSERT INTO a VALUES (1)',
  'UPDATE a SET b = 1',
  'WITH a AS (DELETE FROM b RETURNING c) SELECT * FROM a',
  'SELECT a FROM b FOR UPDATE',
  'CREATE TABLE selects (a text)',
  'DO $$ SELECT 1 $$',
])('%s may write', (text) => expect(isRead({ name: 'x', text })).toBe(false));
