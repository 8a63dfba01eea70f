import type { FieldDefinition } from '../field-definition.js';
import type { ObjectType } from '../object-type.js';
import { STANDARD_OPTIONS } from './standard-options.js';

/** Makes a standard field for an object type. */
type Draft = (objectType: ObjectType) => FieldDefinition;

const ADDRESS = [text('country', 'Country'), text('state', 'State'), text('city', 'City')];
const EXTERNAL_ID = text('external_id', 'External ID');
const COMPANY = reference('company', 'Company', 'companies');
const CONTACT = reference('contact', 'Contact', 'contacts');

/** The fields that every account starts with, by object type, in display order (contract, section 3). */
export const STANDARD_FIELDS: Readonly<Record<ObjectType, readonly FieldDefinition[]>> = {
  contacts: fieldsOf('contacts', [
    text('first_name', 'First name'),
    text('last_name', 'Last name'),
    text('email', 'E-mail'),
    text('phone', 'Phone'),
    text('job_title', 'Job title'),
    text('company_name', 'Company name'),
    text('website_url', 'Website'),
    ...ADDRESS,
    enumeration('lead_source', 'Lead source'),
    enumeration('lifecycle_stage', 'Lifecycle stage'),
    typed('user', 'contact_owner', 'Contact owner'),
    EXTERNAL_ID,
    COMPANY,
  ]),
  companies: fieldsOf('companies', [
    text('company_name', 'Company name'),
    text('website_url', 'Website'),
    text('description', 'Description'),
    text('industry', 'Industry'),
    text('phone', 'Phone'),
    ...ADDRESS,
    typed('number', 'number_of_employees', 'Number of employees'),
    typed('number', 'annual_revenue', 'Annual revenue'),
    typed('user', 'company_owner', 'Company owner'),
    EXTERNAL_ID,
  ]),
  deals: fieldsOf('deals', [
    text('deal_name', 'Deal name'),
    enumeration('pipeline', 'Pipeline'),
    enumeration('deal_stage', 'Deal stage'),
    typed('number', 'amount', 'Amount'),
    typed('datetime', 'close_date', 'Close date'),
    text('description', 'Description'),
    typed('user', 'deal_owner', 'Deal owner'),
    EXTERNAL_ID,
    COMPANY,
    CONTACT,
  ]),
  tickets: fieldsOf('tickets', [
    text('ticket_name', 'Ticket name'),
    enumeration('pipeline', 'Pipeline'),
    enumeration('ticket_stage', 'Ticket stage'),
    enumeration('priority', 'Priority'),
    text('description', 'Description'),
    typed('user', 'ticket_owner', 'Ticket owner'),
    EXTERNAL_ID,
    COMPANY,
    CONTACT,
  ]),
};

function fieldsOf(objectType: ObjectType, drafts: readonly Draft[]): readonly FieldDefinition[] {
  return drafts.map((draft) => draft(objectType));
}

function typed(type: string, internalName: string, label: string): Draft {
  return (objectType) => ({ objectType, internalName, label, type, options: [], standard: true });
}

function text(internalName: string, label: string): Draft {
  return typed('string', internalName, label);
}

function reference(internalName: string, label: string, target: ObjectType): Draft {
  return (objectType) => ({ ...typed('reference', internalName, label)(objectType), target });
}

function enumeration(internalName: keyof typeof STANDARD_OPTIONS, label: string): Draft {
  const options = STANDARD_OPTIONS[internalName];
  return (objectType) => ({ ...typed('enumeration', internalName, label)(objectType), options });
}
