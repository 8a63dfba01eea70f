import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';

const CSV =
  'external_id,email,first_name,phone\n1,A@x.test,Ada,5\n2,b@x.test,Bob,\n3,,"Eve\nof ""Acme""",7\n';

const programs = new Programs();
afterEach(() => programs.end());

it('import works on an embedded database that nobody serves [contract 5, contract 7]', async () => {
  const cwd = await programs.folderWithData();
  writeFileSync(join(cwd, 'a.yaml'), 'accounts: [{ slug: acme }]');
  writeFileSync(join(cwd, 'x.csv'), CSV);
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
