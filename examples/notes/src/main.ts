import { readSettings, startServer } from 'fairlead';
import notes from './index.js';

try {
  await startServer(readSettings(), { extensions: [notes] });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
