/** A configuration file that uses every part of one account. */
export const ACME = `accounts:
  - slug: acme
    name: Acme Inc
    holidays: ["2026-12-25"]
    users:
      - email: ada@acme.test
        name: Ada Lovelace
        timezone: America/New_York
        available: true
        working_hours:
          - { days: [mon, tue, wed, thu, fri], start: "09:00", end: "17:30" }
          - { days: [sat], start: "22:00", end: "02:00" }
        out_of_office:
          - { from: "2026-12-24T00:00:00Z", to: "2026-12-27T00:00:00+01:00" }
        limits: { hour: 10, day: 40, week: 100, month: 300 }
      - { email: Grace@Acme.test, timezone: Europe/London, holidays: ["2026-05-01"] }
      - { email: alan@acme.test, available: false, limits: { day: 5, window: calendar } }
    teams:
      - { name: Sales, members: [grace@acme.test, ADA@acme.test] }
      - { name: Empty }
    fields:
      - { object_type: contacts, internal_name: lead_score, label: Lead score, type: number }
      - object_type: contacts
        internal_name: region
        label: Region
        type: enumeration
        options:
          - { internal_name: emea, label: EMEA }
          - { internal_name: apac }
      - { object_type: deals, internal_name: sales_engineer, type: user }
      - object_type: deals
        internal_name: pipeline
        options: [{ internal_name: partner, label: Partner }]
    capacities:
      - name: Open
        object_type: contacts
        field: region
        values: [emea, APAC]
        users: [{ email: ada@acme.test, max: 3 }]
        teams: [{ name: Sales, max: 5 }]
    routers:
      - name: Inbound
        object_type: contacts
        published: true
        settings:
          overwrite: true
          distribution_model: round robin
          default_user: alan@acme.test
          trigger:
            groups:
              - conditions:
                  - { field: region, operator: in, value: [emea, apac] }
                  - { field: lead_score, operator: gte, value: 10 }
        users: [{ email: ada@acme.test }]
        teams: [{ name: Sales }]
      - name: Shares
        object_type: deals
        settings: { distribution_model: percentage, owner_field: sales_engineer }
        users:
          - { email: ada@acme.test, percentage: 33.3333 }
          - { email: grace@acme.test, percentage: 66.6667 }
      - { name: Draft, object_type: tickets }
`;
