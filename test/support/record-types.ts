/**
 * One object type as the specification and the contract describe it. Tests of all four types iterate over it.
 */
export interface RecordType {
  /** The object type, which is its path segment. */
  readonly type: 'contacts' | 'companies' | 'deals' | 'tickets';
  /** The name in messages. */
  readonly singular: string;
  /** The fields of every response between `id` and the times (clause 2.1). */
  readonly defaults: readonly string[];
  readonly owner: string;
  /** The unique key of its own, beside external_id. */
  readonly key: string | null;
  /** A text field that is neither required nor unique. */
  readonly text: string;
  /** The fields that a create requires (clause 2.7). */
  readonly minimal: Readonly<Record<string, string>>;
  /** Every standard field (contract section 3): what is sent and what is stored. */
  readonly sent: Readonly<Record<string, string | number>>;
  readonly stored: Readonly<Record<string, string>>;
}

const ADDRESS = { country: 'United Kingdom', state: 'Greater London', city: 'London' };

export const RECORD_TYPES: readonly RecordType[] = [
  {
    type: 'contacts',
    singular: 'contact',
    defaults: ['first_name', 'last_name', 'email', 'contact_owner', 'external_id'],
    owner: 'contact_owner',
    key: 'email',
    text: 'job_title',
    minimal: { first_name: 'Ada' },
    ...fields({
      first_name: ['Ada'],
      last_name: ['Lovelace'],
      email: ['Ada@Example.COM', 'ada@example.com'],
      phone: ['+44 20 7946 0000'],
      job_title: ['Countess'],
      company_name: ['Analytical Engines'],
      website_url: ['https://www.Example.com/ada?x=1#top', 'example.com'],
      ...values(ADDRESS),
      lead_source: ['Social Media', 'social_media'],
      lifecycle_stage: ['customer'],
      contact_owner: ['ADA@acme.test', 'ada@acme.test'],
      external_id: ['crm-1'],
    }),
  },
  {
    type: 'companies',
    singular: 'company',
    defaults: ['company_name', 'description', 'industry', 'company_owner', 'external_id'],
    owner: 'company_owner',
    key: 'website_url',
    text: 'industry',
    minimal: { company_name: 'Acme' },
    ...fields({
      company_name: ['Acme'],
      website_url: ['HTTPS://user:secret@www.Acme.example:8443/about', 'acme.example'],
      description: ['Makes everything'],
      industry: ['Manufacturing'],
      phone: ['555-0100'],
      ...values(ADDRESS),
      number_of_employees: [250, '250'],
      annual_revenue: [1.5e6, '1500000'],
      company_owner: ['grace@acme.test'],
      external_id: ['crm-1'],
    }),
  },
  {
    type: 'deals',
    singular: 'deal',
    defaults: ['deal_name', 'pipeline', 'deal_stage', 'deal_owner', 'external_id'],
    owner: 'deal_owner',
    key: null,
    text: 'description',
    minimal: { deal_name: 'Renewal', deal_stage: 'new', pipeline: 'default' },
    ...fields({
      deal_name: ['Renewal'],
      pipeline: ['Default', 'default'],
      deal_stage: ['NEW', 'new'],
      amount: [99.5, '99.5'],
      close_date: ['2026-03-01', '2026-03-01T00:00:00.000Z'],
      description: ['Three years'],
      deal_owner: ['ada@acme.test'],
      external_id: ['crm-1'],
    }),
  },
  {
    type: 'tickets',
    singular: 'ticket',
    defaults: ['ticket_name', 'pipeline', 'ticket_owner', 'external_id'],
    owner: 'ticket_owner',
    key: null,
    text: 'description',
    minimal: { ticket_name: 'It is down', ticket_stage: 'new', pipeline: 'default' },
    ...fields({
      ticket_name: ['It is down'],
      pipeline: ['default'],
      ticket_stage: ['In progress', 'in_progress'],
      priority: ['urgent'],
      description: ['Since this morning'],
      ticket_owner: ['grace@acme.test'],
      external_id: ['crm-1'],
    }),
  },
];

/** The users that the values above name. */
export const USERS = `users: [{ email: ada@acme.test, name: Ada }, { email: grace@acme.test, name: Grace }]`;

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** An id that no record has. */
export const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The whole flat object that answers for a new record with those stored values and no extra properties. */
export function flatObject({ defaults }: RecordType, stored: Readonly<Record<string, string>>): object {
  return {
    id: expect.stringMatching(UUID_V7),
    ...Object.fromEntries(defaults.map((name) => [name, stored[name] ?? null])),
    created_at: expect.stringMatching(ISO_TIME),
    updated_at: expect.stringMatching(ISO_TIME),
    archived: false,
  };
}

/** Returns sent and stored values, which are equal where only one is given. */
function fields(
  table: Readonly<Record<string, readonly [sent: string | number, stored?: string]>>,
): Pick<RecordType, 'sent' | 'stored'> {
  const entries = Object.entries(table);
  return {
    sent: Object.fromEntries(entries.map(([name, [sent]]) => [name, sent])),
    stored: Object.fromEntries(entries.map(([name, [sent, stored]]) => [name, stored ?? String(sent)])),
  };
}

function values(same: Readonly<Record<string, string>>): Record<string, readonly [string]> {
  return Object.fromEntries(Object.entries(same).map(([name, value]) => [name, [value] as const]));
}
