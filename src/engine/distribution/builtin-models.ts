import type { DistributionModel } from './distribution-model.js';
import { LOAD_BALANCED } from './load-balanced-model.js';
import { PERCENTAGE } from './percentage-model.js';
import { ROUND_ROBIN } from './round-robin-model.js';

/** The distribution models of contract section 4. */
export const BUILTIN_MODELS: readonly DistributionModel[] = [ROUND_ROBIN, PERCENTAGE, LOAD_BALANCED];
