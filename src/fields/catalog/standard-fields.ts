import { capitalized } from '../../text/capitalized.js';
import type { FieldDefinition, FieldOption } from '../field-definition.js';
import type { ObjectType } from '../object-type.js';

/**
 * The options that every account starts with, by enumeration field, in display order. Admins can add more.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  lead_source:
    'website referral organic_search paid_search social_media email_campaign event webinar partner outbound other',
  lifecycle_stage:
    'subscriber lead marketing_qualified_lead sales_qualified_lead opportunity customer evangelist other',
  pipeline: 'default',
  deal_stage: 'new qualified proposal negotiation won lost',
  ticket_stage: 'new in_progress waiting resolved closed',
  priority: 'low medium high urgent',
};

/** Labels that are not the name in words. */
const LABELS: Readonly<Record<string, string>> = {
  email: 'E-mail',
  email_campaign: 'E-mail campaign',
  website_url: 'Website',
  external_id: 'External ID',
};

const TYPES: Readonly<Record<string, string>> = {
  number_of_employees: 'number',
  annual_revenue: 'number',
  amount: 'number',
  close_date: 'datetime',
  contact_owner: 'user',
  company_owner: 'user',
  deal_owner: 'user',
  ticket_owner: 'user',
};

/** The object types that references name. */
const TARGETS: Readonly<Record<string, ObjectType>> = { company: 'companies', contact: 'contacts' };

/** The fields that every account starts with, by object type, in display order (contract, section 3). */
export const STANDARD_FIELDS: Readonly<Record<ObjectType, readonly FieldDefinition[]>> = {
  contacts: fieldsOf(
    'contacts',
    'first_name last_name email phone job_title company_name website_url country state city',
    'lead_source lifecycle_stage contact_owner external_id company',
  ),
  companies: fieldsOf(
    'companies',
    'company_name website_url description industry phone country state city',
    'number_of_employees annual_revenue company_owner external_id',
  ),
  deals: fieldsOf(
    'deals',
    'deal_name pipeline deal_stage amount close_date description deal_owner external_id company contact',
  ),
  tickets: fieldsOf(
    'tickets',
    'ticket_name pipeline ticket_stage priority description ticket_owner external_id company contact',
  ),
};

function fieldsOf(objectType: ObjectType, ...lines: readonly string[]): readonly FieldDefinition[] {
  return named(lines.join(' ')).map(({ internalName, label }) => {
    const target = TARGETS[internalName];
    const options = named(OPTIONS[internalName] ?? '');
    const type =
      target !== undefined
        ? 'reference'
        : options.length > 0
          ? 'enumeration'
          : (TYPES[internalName] ?? 'string');
    const field = { objectType, internalName, label, type, options, standard: true };
    return target === undefined ? field : { ...field, target };
  });
}

/** @param names separated by spaces */
function named(names: string): FieldOption[] {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ internalName: name, label: LABELS[name] ?? capitalized(name.replaceAll('_', ' ')) }));
}
