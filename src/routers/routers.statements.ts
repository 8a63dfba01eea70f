/** The JSON text of what is live and of the draft; `router` is the alias of the row. */
const ALL_TEXT = 'concat(router.settings, router.draft)';

/** Whether the JSON text of a router has the text :text, which is in lower case. */
export const SPELLS = `(position(:text in lower(${ALL_TEXT} COLLATE "C")) > 0
  OR octet_length(${ALL_TEXT}) > char_length(${ALL_TEXT}))`;

/** $1 account, $2 ids, $3 settings, $4 drafts. The database takes the numbers of versions away. */
export const REWRITE = {
  name: 'rewrite_routers',
  text: `UPDATE routers r SET settings = v.settings, draft = v.draft, updated_at = now()
    FROM unnest($2::uuid[], $3::jsonb[], $4::jsonb[]) AS v (id, settings, draft)
    WHERE r.account_id = $1 AND r.id = v.id`,
};

/** $1 account, $2 ids, $3 numbers of the versions that are live */
export const NUMBER_AGAIN = {
  name: 'number_routers_again',
  text: `UPDATE routers r SET version = v.version FROM unnest($2::uuid[], $3::int[]) AS v (id, version)
    WHERE r.account_id = $1 AND r.id = v.id AND r.version IS DISTINCT FROM v.version`,
};
