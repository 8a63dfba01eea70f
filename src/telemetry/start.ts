// Imported for its effect, before what it measures is loaded.
import { startTelemetry } from './telemetry.js';

startTelemetry();
