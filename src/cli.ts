#!/usr/bin/env node
import 'reflect-metadata';
import { runCommandLine } from './commands/command-line.js';

void runCommandLine();
