import type { ObjectType } from '../../fields/index.js';

/** A product whose exports are known. */
export type Preset = 'hubspot' | 'pipedrive' | 'salesforce' | 'zoho';

type Headings = Readonly<Record<string, string>>;

/** What all types of a product have, and each of them. */
type PresetHeadings = Readonly<Record<'all' | ObjectType, Headings>>;

/**
 * Fields by the headings of the exports of a product, where these differ from names and labels of fields. Of
 * several for one field, the first one counts. An empty one is ignored. Reports of Salesforce have others
 * than its data export.
 */
const HEADINGS: Readonly<Record<Preset, PresetHeadings>> = {
  hubspot: {
    all: {
      'Record ID': 'external_id',
      'Phone Number': 'phone',
      'Country/Region': 'country',
      'State/Region': 'state',
      'Create Date': '',
      'Last Modified Date': '',
      'Last Activity Date': '',
      'Associated Company IDs (Primary)': 'company.external_id',
      'Primary Associated Company ID': 'company.external_id',
      'Associated Company IDs': 'company.external_id',
      'Associated Contact IDs': 'contact.external_id',
    },
    contacts: {
      'Work email': 'email',
      'Mobile Phone Number': 'phone',
      'Website URL': 'website_url',
      'Associated Company (Primary)': 'company_name',
      'Associated Company': 'company_name',
      'Original Source': '',
      'Lead Status': '',
    },
    companies: { 'Company Domain Name': 'website_url', 'Website URL': 'website_url', Name: 'company_name' },
    deals: { 'Deal Description': 'description' },
    tickets: {
      'Ticket ID': 'external_id',
      'Ticket status': 'ticket_stage',
      'Ticket description': 'description',
    },
  },
  salesforce: {
    all: {
      Id: 'external_id',
      IsDeleted: 'archived',
      AccountId: 'company.external_id',
      ContactId: 'contact.external_id',
      OwnerId: '',
      CreatedDate: '',
      CreatedById: '',
      LastModifiedDate: '',
      LastModifiedById: '',
      SystemModstamp: '',
    },
    contacts: {
      'Contact ID': 'external_id',
      Title: 'job_title',
      'Account.Name': 'company_name',
      MailingCity: 'city',
      MailingState: 'state',
      MailingCountry: 'country',
      'Owner.Email': 'contact_owner',
      Name: '',
    },
    companies: {
      'Account ID': 'external_id',
      'Account Name': 'company_name',
      Name: 'company_name',
      Employees: 'number_of_employees',
      'Account Owner': 'company_owner',
      BillingCity: 'city',
      BillingState: 'state',
      BillingCountry: 'country',
      'Owner.Email': 'company_owner',
    },
    deals: {
      'Opportunity ID': 'external_id',
      'Opportunity Name': 'deal_name',
      Name: 'deal_name',
      StageName: 'deal_stage',
      Stage: 'deal_stage',
      'Opportunity Owner': 'deal_owner',
      'Owner.Email': 'deal_owner',
    },
    tickets: {
      'Case ID': 'external_id',
      Subject: 'ticket_name',
      Status: 'ticket_stage',
      'Case Owner': 'ticket_owner',
      'Owner.Email': 'ticket_owner',
    },
  },
  pipedrive: {
    all: {},
    contacts: {
      'Person - ID': 'external_id',
      'Person - First name': 'first_name',
      'Person - Last name': 'last_name',
      'Person - Name': '',
      'Person - Email - Work': 'email',
      'Person - Email': 'email',
      'Person - Email - Home': 'email',
      'Person - Email - Other': 'email',
      'Person - Phone - Work': 'phone',
      'Person - Phone': 'phone',
      'Person - Phone - Mobile': 'phone',
      'Person - Phone - Home': 'phone',
      'Person - Phone - Other': 'phone',
      'Person - Organization': 'company_name',
      'Person - Owner': 'contact_owner',
      'Organization - ID': 'company.external_id',
    },
    companies: {
      'Organization - ID': 'external_id',
      'Organization - Name': 'company_name',
      'Organization - Website': 'website_url',
      'Organization - Owner': 'company_owner',
    },
    deals: {
      'Deal - ID': 'external_id',
      'Deal - Title': 'deal_name',
      'Deal - Value': 'amount',
      'Deal - Stage': 'deal_stage',
      'Deal - Pipeline': 'pipeline',
      'Deal - Expected close date': 'close_date',
      'Deal - Owner': 'deal_owner',
      'Organization - ID': 'company.external_id',
      'Person - ID': 'contact.external_id',
    },
    tickets: {},
  },
  zoho: {
    all: {
      'Record Id': 'external_id',
      'Account Name.id': 'company.external_id',
      'Contact Name.id': 'contact.external_id',
      'Created Time': '',
      'Modified Time': '',
    },
    contacts: {
      Title: 'job_title',
      'Account Name': 'company_name',
      'Mailing City': 'city',
      'Mailing State': 'state',
      'Mailing Country': 'country',
    },
    companies: {
      'Account Name': 'company_name',
      'Account Owner': 'company_owner',
      Employees: 'number_of_employees',
      'Billing City': 'city',
      'Billing State': 'state',
      'Billing Country': 'country',
    },
    deals: { Stage: 'deal_stage', 'Closing Date': 'close_date' },
    tickets: { Subject: 'ticket_name', Status: 'ticket_stage', 'Ticket Id': 'external_id' },
  },
};

/** Returns the fields by the headings of a product, for records of a type, which may have not all of them. */
export function presetOf(preset: Preset, objectType: ObjectType | 'all'): ReadonlyMap<string, string> {
  const { all, [objectType]: own } = HEADINGS[preset];
  return new Map(Object.entries({ ...own, ...all }));
}
