import type { TurnRow } from '../../assignments/index.js';

/** Most turns of a rotation that are looked at. */
const MOST_TURNS = 5_000;

/** What the turns of a period say of one member. */
interface Tally {
  turns: number;
  returned: number;
  fairShare: number;
  present: number;
  lastAt: Date | null;
  run: number;
  longestRun: number;
}

/** The credits of those who were present at a turn, behind it. */
interface Credits {
  readonly at: Date;
  readonly credits: ReadonlyMap<string, number>;
}

/** Adds up the turns of one rotation, which come newest first. */
export class TurnTally {
  readonly members = new Map<string, Tally>();
  /** Oldest first, once all turns are added. */
  readonly history: Credits[] = [];
  /** The numbers of turns by what they were among: users, teams, or the members of a team. */
  readonly among = new Map<string, number>();
  /** The oldest turn that was looked at. */
  oldest: Date | undefined;
  /** Where reading ended before any was. */
  cutFrom: Date | undefined;
  /** Whether there are turns that were not looked at, or whose traces are gone. */
  isCut = false;
  /** Whether the same members were present at each turn, and none was returned. */
  isFixed = true;
  worst: { readonly user: string; readonly credit: number; readonly at: Date } | null = null;
  private count = 0;
  private winner: string | null = null;
  private readonly present = new Map<string, string>();
  /** The e-mails that people have now, by those in traces. */
  private readonly renamed = new Map<string, string>();

  add({ user, returned, at, steps }: TurnRow): void {
    if (this.isCut || steps === null || this.count === MOST_TURNS) {
      this.isCut = true;
      return;
    }
    this.count += 1;
    this.oldest = at;
    if (returned) this.isFixed = false;
    const credits = new Map<string, number>();
    for (const [among, , columns, rows] of steps) {
      this.among.set(among, (this.among.get(among) ?? 0) + 1);
      const [share, credit] = [columns.indexOf('share'), columns.indexOf('credit_after')];
      const sum = rows.reduce((total, row) => total + Number(row[share] ?? 0), 0);
      for (const row of rows) {
        const label = String(row[0]);
        const member = this.of(label);
        member.present += 1;
        // Shares are rounded in traces.
        if (share >= 0 && sum > 0) member.fairShare += Number(row[share]) / sum;
        if (credit >= 0) credits.set(label, Number(row[credit]));
      }
      const labels = rows.map(([label]) => label).join('\n');
      this.isFixed &&= (this.present.get(among) ?? labels) === labels;
      this.present.set(among, labels);
    }
    for (const [label, credit] of credits)
      if (this.worst === null || Math.abs(credit) > Math.abs(this.worst.credit))
        this.worst = { user: label, credit, at };
    this.history.push({ at, credits });
    if (user !== null) this.win(user, { returned, at, chosen: steps.at(-1)?.[1] ?? user });
  }

  /** Notes that there may be turns before an instant, at which reading ended. */
  cutAt(at: Date | undefined): void {
    if (!this.isCut) this.cutFrom = at;
    this.isCut = true;
  }

  /** Returns points of the history in their order, at most as many, the newest among them. */
  thinned(most: number): Credits[] {
    const { length } = this.history;
    if (length <= most) return this.history;
    const place = (n: number): number => Math.floor((n * most) / length);
    return this.history.filter((_, n) => place(n + 1) > place(n));
  }

  /** Puts what is known in order: the oldest first, and people by the e-mails that they have now. */
  finish(): void {
    this.history.reverse();
    for (const [then, now] of this.renamed) {
      const [old, own] = [this.members.get(then), this.of(now)];
      if (old === undefined) continue;
      own.fairShare += old.fairShare;
      own.present += old.present;
      this.members.delete(then);
    }
    if (this.worst !== null) this.worst = { ...this.worst, user: this.nameOf(this.worst.user) };
  }

  nameOf(label: string): string {
    return this.renamed.get(label) ?? label;
  }

  private win(
    user: string,
    { returned, at, chosen }: { readonly returned: boolean; readonly at: Date; readonly chosen: string },
  ): void {
    if (chosen !== user) this.renamed.set(chosen, user);
    const member = this.of(user);
    member.turns += 1;
    if (returned) member.returned += 1;
    member.lastAt ??= at;
    member.run = this.winner === user ? member.run + 1 : 1;
    member.longestRun = Math.max(member.longestRun, member.run);
    this.winner = user;
  }

  private of(label: string): Tally {
    const known = this.members.get(label);
    if (known !== undefined) return known;
    const tally = { turns: 0, returned: 0, fairShare: 0, present: 0, lastAt: null, run: 0, longestRun: 0 };
    this.members.set(label, tally);
    return tally;
  }
}
