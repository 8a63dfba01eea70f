import { Injectable } from '@nestjs/common';
import { MOST_FOUND, type AccountCheck, type AccountContext, type CheckResult } from '../accounts/index.js';
import { Database } from '../database/index.js';
import { validateDto } from '../validation/validate-dto.js';
import { DirectoryRepository } from './directory.repository.js';
import { OutOfOfficeDto } from './dto/directory.dto.js';

/** Finds absences that no request could store now. Most of them count at no instant. */
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
      outOfOffice.map((absence) => ({ email, absence })),
    );
    const found = absences.flatMap(({ email, absence }) => {
      const read = validateDto(OutOfOfficeDto, absence);
      if (read.ok) return [];
      const reasons = read.errors.map(({ message }) => message).join('; ');
      return `${email} is away from ${JSON.stringify(absence.from)} to ${JSON.stringify(absence.to)}: ${reasons}`;
    });
    return { compared: absences.length, wrong: found.length, found: found.slice(0, MOST_FOUND) };
  }
}
