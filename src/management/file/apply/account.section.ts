import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext, type AccountEntity } from '../../../accounts/index.js';
import type { Transaction } from '../../../database/index.js';
import { FieldsRepository, type FieldDto, type LeftOut } from '../../../fields/index.js';
import { mentioned, type ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies the properties of the account itself. */
@Injectable()
export class AccountSection implements ApplySection {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
  ) {}

  /**
   * Returns the account with the file's slug. Creates it with the standard fields when there is none, but for
   * a reference whose name a custom field of the file has: the file may be older than the reference.
   */
  async open(
    tx: Transaction,
    { slug, name, fields = [] }: AccountDto,
  ): Promise<{ account: AccountContext; created: boolean }> {
    const present = await this.accounts.findBySlug(tx, slug);
    if (present !== null) return { account: { accountId: present.id }, created: false };
    const account = await this.accounts.create(tx, { slug, name: name ?? slug });
    await this.fields.insertStandard(tx, account, isReferenceNamedOtherwise(fields));
    return { account, created: true };
  }

  async apply(change: ConfigurationChange, { slug, name, holidays, suspended }: AccountDto): Promise<void> {
    const present = await this.accounts.findBySlug(change.tx, slug);
    if (present === null) return;
    const wanted: Partial<AccountEntity> = mentioned({ name, holidays });
    if (suspended !== undefined && suspended !== (present.suspendedAt !== null)) {
      wanted.suspendedAt = suspended ? new Date() : null;
    }
    const forms = { before: accountForm(present), after: accountForm(Object.assign({}, present, wanted)) };
    if (change.note({ kind: 'account', id: present.id, name: slug }, forms)) change.accountValues = wanted;
  }
}

function isReferenceNamedOtherwise(fields: readonly FieldDto[]): LeftOut {
  return ({ objectType, internalName, type: standard, target }) =>
    standard === 'reference' &&
    fields.some(
      ({ object_type, internal_name, type = standard, target_object_type = target }) =>
        object_type === objectType &&
        internal_name === internalName &&
        (type !== standard || target_object_type !== target),
    );
}

function accountForm({ name, holidays, suspendedAt }: AccountEntity): object {
  return { name, holidays, suspended: suspendedAt !== null };
}
