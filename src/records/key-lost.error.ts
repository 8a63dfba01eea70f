/** The record that had a key has it no longer. Whoever has it by now is to be found anew. */
export class KeyLostError extends Error {}
