export { BoundedNames, OTHER } from './bounded-names.js';
export { Metrics, MetricsModule } from './metrics.js';
