import type { FieldOption } from '../field-definition.js';

/**
 * The options that every account starts with, by enumeration field, in display order. Admins can add more.
 */
export const STANDARD_OPTIONS = {
  lead_source: [
    option('website', 'Website'),
    option('referral', 'Referral'),
    option('organic_search', 'Organic search'),
    option('paid_search', 'Paid search'),
    option('social_media', 'Social media'),
    option('email_campaign', 'E-mail campaign'),
    option('event', 'Event'),
    option('webinar', 'Webinar'),
    option('partner', 'Partner'),
    option('outbound', 'Outbound'),
    option('other', 'Other'),
  ],
  lifecycle_stage: [
    option('subscriber', 'Subscriber'),
    option('lead', 'Lead'),
    option('marketing_qualified_lead', 'Marketing qualified lead'),
    option('sales_qualified_lead', 'Sales qualified lead'),
    option('opportunity', 'Opportunity'),
    option('customer', 'Customer'),
    option('evangelist', 'Evangelist'),
    option('other', 'Other'),
  ],
  pipeline: [option('default', 'Default')],
  deal_stage: [
    option('new', 'New'),
    option('qualified', 'Qualified'),
    option('proposal', 'Proposal'),
    option('negotiation', 'Negotiation'),
    option('won', 'Won'),
    option('lost', 'Lost'),
  ],
  ticket_stage: [
    option('new', 'New'),
    option('in_progress', 'In progress'),
    option('waiting', 'Waiting'),
    option('resolved', 'Resolved'),
    option('closed', 'Closed'),
  ],
  priority: [
    option('low', 'Low'),
    option('medium', 'Medium'),
    option('high', 'High'),
    option('urgent', 'Urgent'),
  ],
} as const satisfies Record<string, readonly FieldOption[]>;

function option(internalName: string, label: string): FieldOption {
  return { internalName, label };
}
