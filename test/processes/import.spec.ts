import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/program.js';

const programs = new Programs();
afterEach(() => programs.end());

it('import works on an embedded database that nobody serves [contract 5, contract 7]', async () => {
  const cwd = await programs.folderWithData();
  writeFileSync(join(cwd, 'a.yaml'), 'accounts: [{ slug: acme }]');
  writeFileSync(join(cwd, 'x.csv'), 'external_id,first_name\n1,Ada\n2,Bob\n3,Eve\n');
  expect((await programs.cli(['apply', 'a.yaml'], {}, { cwd })).code).toBe(0);
  const args = [
    'import',
    '--account',
    'acme',
    '--type',
    'contacts',
    '--file',
    'x.csv',
    '--key',
    'external_id',
  ];
  const { code, stdout } = await programs.cli(args, {}, { cwd });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '3 rows, 3 created, 0 updated, 0 unchanged, 0 rejected\n',
  });
});
