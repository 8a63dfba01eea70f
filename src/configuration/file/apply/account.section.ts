import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext, type AccountEntity } from '../../../accounts/index.js';
import type { Transaction } from '../../../database/index.js';
import { FieldsRepository } from '../../../fields/index.js';
import type { AccountDto } from '../account.dto.js';
import { differingKeys, mentioned, type ApplyRun } from './apply-run.js';
import type { ApplySection } from './apply-section.js';

/** Applies the properties of the account itself. */
@Injectable()
export class AccountSection implements ApplySection {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
  ) {}

  /** Returns the account with the file's slug. Creates it with the standard fields when there is none. */
  async open(
    tx: Transaction,
    { slug, name }: AccountDto,
  ): Promise<{ account: AccountContext; created: boolean }> {
    const present = await this.accounts.findBySlug(tx, slug);
    if (present !== null) return { account: { accountId: present.id }, created: false };
    const account = await this.accounts.create(tx, { slug, name: name ?? slug });
    await this.fields.insertStandard(tx, account);
    return { account, created: true };
  }

  async apply(run: ApplyRun, { slug, name, holidays, suspended }: AccountDto): Promise<void> {
    const present = await this.accounts.findBySlug(run.tx, slug);
    if (present === null) return;
    const wanted: Partial<AccountEntity> = mentioned({ name, holidays });
    const keys = differingKeys(present, wanted);
    if (suspended !== undefined && suspended !== (present.suspendedAt !== null)) {
      wanted.suspendedAt = suspended ? new Date() : null;
      keys.push('suspended');
    }
    if (keys.length === 0) return;
    await this.accounts.update(run.tx, run.account, wanted);
    run.updated('account', slug, keys);
  }
}
