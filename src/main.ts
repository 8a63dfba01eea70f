#!/usr/bin/env node
import './start/small-heap.js';
import './telemetry/start.js';
import 'reflect-metadata';
import { readSettings } from './settings/settings.js';
import { startServer } from './start/server.js';

startServer(readSettingsOrExit()).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

function readSettingsOrExit(): ReturnType<typeof readSettings> {
  try {
    return readSettings();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
