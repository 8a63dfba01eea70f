import type { FairleadExtension } from 'fairlead';
import { clockDistance } from './clock-distance.js';
import { PRIORITY } from './priority.js';

/** Hours that the clocks of a user and a record may differ. */
const MOST_HOURS_APART = 6;

/**
 * The distribution model `priority`, and a check that keeps records within reach of their owner's working
 * day.
 */
const priorityModel: FairleadExtension = {
  name: 'priority-model',
  distributionModels: [PRIORITY],
  eligibilityChecks: [clockDistance(MOST_HOURS_APART)],
};

export default priorityModel;
