export { BoundedNames, OTHER } from './bounded-names.js';
export { Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
