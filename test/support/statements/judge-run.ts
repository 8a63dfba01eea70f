import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onClusterAlone } from '../../../src/database/cluster-form.js';
import { isOfService, report, type Judged, type Seen } from './report.js';
import { StatementJudge } from './statement-judge.js';

/** What the workers of a run have noted: collect.cjs. */
function readSeen(folder: string): Seen[] {
  const files = readdirSync(folder).filter((file) => file.startsWith('statements-'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  const all = lines.map((line) => JSON.parse(line) as Seen);
  return [...new Map(all.map((seen) => [`${seen.kind} ${seen.text}`, seen])).values()];
}

/**
 * Judges all statements of a run, in the form that a cluster gets.
 * @param folder of the run
 * @param url of a database with all migrations
 * @returns how many there were, and what is wrong
 */
export async function judgeRun(
  folder: string,
  url: string,
  isWhole: boolean,
): Promise<{ readonly count: number; readonly problems: readonly string[] }> {
  const judge = await StatementJudge.open(url);
  try {
    const judged: Judged[] = (await judge.judgeSchema()).map((name) => ({
      name,
      text: name,
      kind: 'other',
      by: 'schema',
      findings: [{ rule: 'schema', message: 'cannot be distributed by account' }],
    }));
    for (const seen of readSeen(folder).filter(isOfService)) {
      const findings = await judge.judge(onClusterAlone(seen.text), seen.kind === 'request');
      if (findings !== undefined) judged.push({ ...seen, findings });
    }
    const count = new Set(judged.map(({ text }) => text)).size;
    return { count, problems: report(judged, isWhole) };
  } finally {
    await judge.close();
  }
}
