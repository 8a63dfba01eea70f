import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onClusterAlone } from '../../../src/database/cluster-form.js';
import type { Finding } from './judge.js';
import { isOfService, report, type Judged, type Seen } from './report.js';
import { StatementJudge } from './statement-judge.js';

/** What the workers of a run have noted: collect.cjs. */
function readSeen(folder: string): Seen[] {
  const files = readdirSync(folder).filter((file) => file.startsWith('statements-'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  const all = lines.map((line) => JSON.parse(line) as Seen);
  return [...new Map(all.map((seen) => [`${seen.kind} ${seen.text}`, seen])).values()];
}

/** What became of the statements of a run. */
interface RunReport {
  readonly count: number;
  /** Those on tables that a test has made, or that were to fail. */
  readonly refused: number;
  readonly problems: readonly string[];
}

/**
 * Judges all statements of a run, in the form that a cluster gets.
 * @param folder of the run
 * @param url of a database with all migrations
 */
export async function judgeRun(folder: string, url: string, isWhole: boolean): Promise<RunReport> {
  const judge = await StatementJudge.open(url);
  try {
    const judged: Judged[] = (await judge.judgeSchema()).map((name) => ({
      name,
      text: name,
      kind: 'other',
      by: 'schema',
      findings: [{ rule: 'schema', message: 'cannot be distributed by account' }],
    }));
    const found = new Map<string, readonly Finding[] | undefined>();
    for (const seen of readSeen(folder).filter(isOfService)) {
      const text = onClusterAlone(seen.text);
      if (!found.has(text)) found.set(text, await judge.judge(text));
      judged.push({ ...seen, findings: found.get(text) ?? [] });
    }
    const refused = [...found.values()].filter((findings) => findings === undefined).length;
    return { count: found.size - refused, refused, problems: report(judged, isWhole) };
  } finally {
    await judge.close();
  }
}
