/** The slug of the demo account. */
export const DEMO_SLUG = 'demo';

const DAY = 86_400_000;

const dayAt = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);

/**
 * The configuration of the demo account: twelve people in three time zones, of whom one is away and one is
 * switched off, and a router for each object type.
 * @param now absences are around it
 */
export function demoConfiguration(now: Date): string {
  return `
accounts:
  - slug: ${DEMO_SLUG}
    name: Demo Inc
    fields:
      - { object_type: contacts, internal_name: lead_score, label: Lead score, type: number }
      - { object_type: contacts, internal_name: last_name, label: Last name, type: string, indexed: true }
    users:
      - { email: ada@demo.test, name: Ada Lovelace, timezone: Europe/London, working_hours: ${OFFICE} }
      - { email: alan@demo.test, name: Alan Turing, timezone: Europe/London, working_hours: ${OFFICE} }
      - { email: rosalind@demo.test, name: Rosalind Franklin, timezone: Europe/London, working_hours: ${OFFICE},
          out_of_office: [{ from: "${dayAt(now, -3)}", to: "${dayAt(now, 5)}" }] }
      - { email: charles@demo.test, name: Charles Babbage, timezone: Europe/London, working_hours: ${OFFICE}, available: false }
      - { email: grace@demo.test, name: Grace Hopper, timezone: America/New_York, working_hours: ${OFFICE}, limits: { day: 12, week: 40 } }
      - { email: katherine@demo.test, name: Katherine Johnson, timezone: America/New_York, working_hours: ${FOUR_DAYS} }
      - { email: claude@demo.test, name: Claude Shannon, timezone: America/New_York, working_hours: ${OFFICE}, limits: { day: 3, window: calendar } }
      - { email: jackson@demo.test, name: Mary Jackson, timezone: America/New_York, working_hours: ${OFFICE} }
      - { email: wu@demo.test, name: Chien-Shiung Wu, timezone: Asia/Singapore, working_hours: ${OFFICE}, limits: { week: 30 } }
      - { email: srinivasa@demo.test, name: Srinivasa Ramanujan, timezone: Asia/Singapore, working_hours: ${OFFICE} }
      - { email: hideki@demo.test, name: Hideki Yukawa, timezone: Asia/Singapore, working_hours: ${EVENINGS} }
      - { email: raman@demo.test, name: C. V. Raman, timezone: Asia/Singapore, working_hours: ${OFFICE},
          out_of_office: [{ from: "${dayAt(now, 9)}", to: "${dayAt(now, 16)}" }] }
    teams:
      - { name: EMEA, members: [ada@demo.test, alan@demo.test, rosalind@demo.test, charles@demo.test] }
      - { name: Americas, members: [grace@demo.test, katherine@demo.test, claude@demo.test, jackson@demo.test] }
      - { name: APAC, members: [wu@demo.test, srinivasa@demo.test, hideki@demo.test, raman@demo.test] }
      - name: Sales
        members: [ada@demo.test, alan@demo.test, grace@demo.test, katherine@demo.test, wu@demo.test, srinivasa@demo.test]
    capacities:
      - name: New deals
        object_type: deals
        field: deal_stage
        values: [new]
        users: [{ email: alan@demo.test, max: 8 }, { email: jackson@demo.test, max: 12 }]
    routers:
      - name: Inbound
        object_type: contacts
        published: true
        settings:
          overwrite: true
          account_matching: true
          ignore_working_hours: true
          reimburse_within_minutes: 30
          default_user: ada@demo.test
          trigger: { groups: [] }
          rules:
            - name: Students
              refuse: true
              trigger: ${when('email', 'ends_with', '.edu')}
            - name: Enterprise
              trigger: ${when('lead_score', 'gte', 80)}
              distribution_model: percentage
              users:
                - { email: ada@demo.test, percentage: 50 }
                - { email: grace@demo.test, percentage: 30 }
                - { email: wu@demo.test, percentage: 20 }
            - name: Europe
              trigger: ${when('country', 'in', '[GB, DE, FR, ES, SE]')}
              teams: [{ name: EMEA }]
              steps: [{ name: Help from the Americas, teams: [{ name: Americas }] }]
            - name: Asia Pacific
              trigger: ${when('country', 'in', '[SG, JP, IN, AU]')}
              teams: [{ name: APAC }]
            - name: Everybody else
              trigger: { groups: [] }
              teams: [{ name: Americas }]
      - name: New companies
        object_type: companies
        published: true
        settings:
          distribution_model: load balanced
          rules:
            - name: Large
              trigger: ${when('number_of_employees', 'gte', 1000)}
              users: [{ email: ada@demo.test }, { email: grace@demo.test }, { email: wu@demo.test }]
              steps: [{ name: Anybody, teams: [{ name: EMEA }, { name: Americas }, { name: APAC }] }]
            - name: Others
              trigger: { groups: [] }
              teams: [{ name: EMEA }, { name: Americas }, { name: APAC }]
              rotation_type: teams
              distribution_model: round robin
      - name: Deal desk
        object_type: deals
        published: true
        settings:
          distribution_model: load balanced
          ignore_working_hours: true
          disable_default_assignment: true
          trigger: ${when('deal_stage', 'eq', 'new')}
        users: [{ email: alan@demo.test }, { email: jackson@demo.test }, { email: srinivasa@demo.test }]
      - name: Support
        object_type: tickets
        published: true
        settings:
          default_user: hideki@demo.test
          rotation_type: teams
          rules:
            - name: Urgent
              trigger: ${when('priority', 'eq', 'urgent')}
              users: [{ email: katherine@demo.test }, { email: raman@demo.test }]
              rotation_type: users
              steps: [{ name: Whoever is in, teams: [{ name: EMEA }, { name: Americas }, { name: APAC }] }]
        teams: [{ name: EMEA }, { name: Americas }, { name: APAC }]
`;
}

const OFFICE = '[{ days: [mon, tue, wed, thu, fri], start: "09:00", end: "17:30" }]';
const FOUR_DAYS = '[{ days: [mon, tue, wed, thu], start: "08:00", end: "18:00" }]';
const EVENINGS = '[{ days: [mon, tue, wed, thu, fri], start: "18:00", end: "02:00" }]';

/** A trigger of one condition. */
function when(field: string, operator: string, value: string | number): string {
  return `{ groups: [{ conditions: [{ field: ${field}, operator: ${operator}, value: ${value} }] }] }`;
}
