import type { ObjectType } from '../../fields/index.js';

/** The products whose exports are known. */
export const PRESETS = ['hubspot', 'pipedrive', 'salesforce', 'zoho'] as const;
export type Preset = (typeof PRESETS)[number];

/** Headings by the field that they are for. */
type Headings = Readonly<Record<string, readonly string[]>>;

/** What all types of a product have, and each of them. */
type PresetHeadings = Readonly<Partial<Record<'all' | ObjectType, Headings>>>;

/**
 * The headings of the exports of a product, where these differ from names and labels of fields. Of several
 * for one field, the first one counts. Those of no field are ignored. Reports of Salesforce have others than
 * its data export.
 */
const HEADINGS: Readonly<Record<Preset, PresetHeadings>> = {
  hubspot: {
    all: {
      external_id: ['Record ID'],
      phone: ['Phone Number'],
      country: ['Country/Region'],
      state: ['State/Region'],
      'company.external_id': [
        'Associated Company IDs (Primary)',
        'Primary Associated Company ID',
        'Associated Company IDs',
      ],
      'contact.external_id': ['Associated Contact IDs'],
      '': ['Create Date', 'Last Modified Date', 'Last Activity Date'],
    },
    contacts: {
      email: ['Work email'],
      phone: ['Mobile Phone Number'],
      website_url: ['Website URL'],
      company_name: ['Associated Company (Primary)', 'Associated Company'],
      '': ['Original Source', 'Lead Status'],
    },
    companies: { website_url: ['Company Domain Name', 'Website URL'], company_name: ['Name'] },
    deals: { description: ['Deal Description'] },
    tickets: {
      external_id: ['Ticket ID'],
      ticket_stage: ['Ticket status'],
      description: ['Ticket description'],
    },
  },
  salesforce: {
    all: {
      external_id: ['Id'],
      archived: ['IsDeleted'],
      'company.external_id': ['AccountId'],
      'contact.external_id': ['ContactId'],
      '': ['OwnerId', 'CreatedDate', 'CreatedById', 'LastModifiedDate', 'LastModifiedById', 'SystemModstamp'],
    },
    contacts: {
      external_id: ['Contact ID'],
      job_title: ['Title'],
      company_name: ['Account.Name'],
      city: ['MailingCity'],
      state: ['MailingState'],
      country: ['MailingCountry'],
      contact_owner: ['Owner.Email'],
      '': ['Name'],
    },
    companies: {
      external_id: ['Account ID'],
      company_name: ['Account Name', 'Name'],
      number_of_employees: ['Employees'],
      company_owner: ['Account Owner', 'Owner.Email'],
      city: ['BillingCity'],
      state: ['BillingState'],
      country: ['BillingCountry'],
    },
    deals: {
      external_id: ['Opportunity ID'],
      deal_name: ['Opportunity Name', 'Name'],
      deal_stage: ['StageName', 'Stage'],
      deal_owner: ['Opportunity Owner', 'Owner.Email'],
    },
    tickets: {
      external_id: ['Case ID'],
      ticket_name: ['Subject'],
      ticket_stage: ['Status'],
      ticket_owner: ['Case Owner', 'Owner.Email'],
    },
  },
  pipedrive: {
    contacts: {
      external_id: ['Person - ID'],
      first_name: ['Person - First name'],
      last_name: ['Person - Last name'],
      email: ['Person - Email - Work', 'Person - Email', 'Person - Email - Home', 'Person - Email - Other'],
      phone: [
        'Person - Phone - Work',
        'Person - Phone',
        'Person - Phone - Mobile',
        'Person - Phone - Home',
        'Person - Phone - Other',
      ],
      company_name: ['Person - Organization'],
      contact_owner: ['Person - Owner'],
      'company.external_id': ['Organization - ID'],
      '': ['Person - Name'],
    },
    companies: {
      external_id: ['Organization - ID'],
      company_name: ['Organization - Name'],
      website_url: ['Organization - Website'],
      company_owner: ['Organization - Owner'],
    },
    deals: {
      external_id: ['Deal - ID'],
      deal_name: ['Deal - Title'],
      amount: ['Deal - Value'],
      deal_stage: ['Deal - Stage'],
      pipeline: ['Deal - Pipeline'],
      close_date: ['Deal - Expected close date'],
      deal_owner: ['Deal - Owner'],
      'company.external_id': ['Organization - ID'],
      'contact.external_id': ['Person - ID'],
    },
  },
  zoho: {
    all: {
      external_id: ['Record Id'],
      'company.external_id': ['Account Name.id'],
      'contact.external_id': ['Contact Name.id'],
      '': ['Created Time', 'Modified Time'],
    },
    contacts: {
      job_title: ['Title'],
      company_name: ['Account Name'],
      city: ['Mailing City'],
      state: ['Mailing State'],
      country: ['Mailing Country'],
    },
    companies: {
      company_name: ['Account Name'],
      company_owner: ['Account Owner'],
      number_of_employees: ['Employees'],
      city: ['Billing City'],
      state: ['Billing State'],
      country: ['Billing Country'],
    },
    deals: { deal_stage: ['Stage'], close_date: ['Closing Date'] },
    tickets: { ticket_name: ['Subject'], ticket_stage: ['Status'], external_id: ['Ticket Id'] },
  },
};

/** Returns the fields by the headings of a product, for records of a type, which may have not all of them. */
export function presetOf(preset: Preset, objectType: ObjectType | 'all'): ReadonlyMap<string, string> {
  const { all = {}, [objectType]: own = {} } = HEADINGS[preset];
  const fields = [...Object.entries(own), ...Object.entries(all)];
  return new Map(fields.flatMap(([field, headings]) => headings.map((heading) => [heading, field] as const)));
}
