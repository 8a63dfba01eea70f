export const assignments = {};
