/**
 * The configuration of the account in a new embedded database: three users who take turns at every new
 * contact.
 */
export const DEMO_CONFIGURATION = `
accounts:
  - slug: demo
    name: Demo Inc
    users:
      - { email: ada@demo.test, name: Ada Lovelace, timezone: Europe/London }
      - { email: grace@demo.test, name: Grace Hopper, timezone: America/New_York }
      - { email: alan@demo.test, name: Alan Turing, timezone: Europe/London }
    teams:
      - { name: Sales, members: [ada@demo.test, grace@demo.test, alan@demo.test] }
    routers:
      - name: Inbound
        object_type: contacts
        published: true
        settings: { overwrite: true, distribution_model: round robin }
        teams: [{ name: Sales }]
`;

/** The slug of the demo account. */
export const DEMO_SLUG = 'demo';
