import { Injectable } from '@nestjs/common';
import { MOST_FOUND, type AccountCheck, type AccountContext, type CheckResult } from '../accounts/index.js';
import { Database } from '../database/index.js';
import { parseInstant } from '../time/parse-instant.js';
import { DirectoryRepository } from './directory.repository.js';

/** Finds absences with an end that cannot be read. Such an absence counts at no instant. */
@Injectable()
export class AbsencesCheck implements AccountCheck {
  readonly subject = 'absences of users';

  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryRepository,
  ) {}

  async compare(account: AccountContext): Promise<CheckResult> {
    const users = await this.database.read((db) => this.directory.listUsers(db, account));
    const absences = users.flatMap(({ email, outOfOffice }) =>
      outOfOffice.map((absence) => ({ email, ...absence })),
    );
    const found = absences
      .filter(({ from, to }) => parseInstant(from) === undefined || parseInstant(to) === undefined)
      .map(
        ({ email, from, to }) =>
          `${email} is away from ${JSON.stringify(from)} to ${JSON.stringify(to)}, which is no time`,
      );
    return { compared: absences.length, wrong: found.length, found: found.slice(0, MOST_FOUND) };
  }
}
