import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplyService, parseConfigurationFile } from '../../src/management/index.js';
import { parseSettings, settingNames } from '../../src/settings/settings.js';
import { TestService } from '../support/test-service.js';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('docs/configuration.md', () => {
  it('shows a configuration file that applies as it stands, and again without a change [contract 5]', async () => {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/configuration.md')) ?? [];
    const service = await TestService.start();
    const apply = service.app.get(ApplyService, { strict: false });
    const [first] = await apply.apply(parseConfigurationFile(yaml), { dryRun: false });
    expect(first?.changes.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['account', 'user', 'team', 'field', 'capacity', 'router']),
    );
    const [second] = await apply.apply(parseConfigurationFile(yaml), { dryRun: false });
    expect(second?.changes).toEqual([]);
    await service.stop();
  });
});

describe('README', () => {
  it('has the two lines that set everything up [contract 5]', () => {
    const [, lines] = /## Start\n\n```\n([^]*?)```/.exec(read('README.md')) ?? [];
    expect(lines).toBe(
      [
        'npm ci && npm start      # builds if needed, starts on http://localhost:3000 on the embedded database\n',
        'npm ci && npm test       # what every change must pass, in minutes, no service needed beforehand\n',
      ].join(''),
    );
  });
});

describe('.env.example', () => {
  const lines = read('.env.example').split('\n');
  const variables = lines.flatMap((line) => /^(?:# )?([A-Z_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
  const documented = new Map(
    Array.from({ length: variables.length / 2 }, (_, n) => [variables[2 * n]!, variables[2 * n + 1]!]),
  );

  it('is a valid environment, and documents exactly the variables there are [contract 5]', () => {
    const set = lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split('=') as [string, string]);
    const settings = parseSettings(Object.fromEntries(set));
    expect([...documented.keys()].sort()).toEqual(settingNames().sort());
    expect(settings).toEqual(parseSettings({}));
  });
});
