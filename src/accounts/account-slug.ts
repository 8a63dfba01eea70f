/** What may be the slug of an account, and how messages say so. */
export const SLUG = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  allowed: '1 to 63 lower-case letters, digits and inner hyphens',
};
