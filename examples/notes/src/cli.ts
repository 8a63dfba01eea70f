#!/usr/bin/env node
import { runCommandLine } from 'fairlead';
import notes from './index.js';

await runCommandLine({ extensions: [notes] });
