/** Most seconds for which a secret works after it was replaced (contract, section 6). */
export const MOST_OVERLAP = 86_400;
