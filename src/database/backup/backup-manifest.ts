import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.js';
import { isCount, isText, listOf, matching, objectOf, parseJson, wrongKey, type Shape } from '../shape.js';
import type { ServerFacts } from './backup-session.js';
import type { Fingerprint } from './copy-file.js';
import { countSegments, walSegments, type WalRange } from './wal-position.js';

/** A file of a backup. The path is relative to the folder `data` of the backup, with slashes. */
export interface BackupFile extends Fingerprint {
  readonly path: string;
}

/** What a backup is and what it holds: the contents of its `manifest.json`. */
export interface BackupManifest extends ServerFacts, WalRange {
  readonly format: string;
  /** Version of Fairlead that made the backup. */
  readonly fairlead: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Relative to the folder `data`, with slashes, parents first. */
  readonly directories: readonly string[];
  readonly files: readonly BackupFile[];
}

const FORMAT = 'fairlead-backup-1';
const MANIFEST = 'manifest.json';
/** In the form that `sha256sum --check` reads. */
const CHECKSUM = 'manifest.json.sha256';

/** Folder of a backup with the files of a data directory. */
export const DATA_FOLDER = 'data';

/** Files without which a folder is no backup. */
const NEEDED = [
  'postgres/PG_VERSION',
  'postgres/backup_label',
  'postgres/global/pg_control',
  'postgres-password',
];

/** What is in a data directory: the cluster, and files beside it with plain names. */
const INSIDE = /^(postgres(\/(?!\.\.?(\/|$))[^/\\]+)*|[a-z]+(-[a-z]+)*)$/;

const LSN = matching(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/i);
const MIB = 1024 * 1024;
const SEGMENT_BYTES = Array.from({ length: 11 }, (_, power) => MIB * 2 ** power);

/** What `format` says of the other keys. */
const SHAPES: Readonly<Record<keyof BackupManifest, Shape>> = {
  format: isText,
  fairlead: isText,
  postgres: matching(/^\d/),
  systemIdentifier: isText,
  startedAt: isText,
  finishedAt: isText,
  timeline: isCount,
  segmentBytes: (value) => SEGMENT_BYTES.includes(value as number),
  start: LSN,
  stop: LSN,
  directories: listOf(isText),
  files: listOf(objectOf({ path: isText, size: isCount, sha256: matching(/^[0-9a-f]{64}$/) })),
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes the manifest of the backup in `folder`, with its checksum, and flushes both to the disk. */
export async function writeManifest(
  folder: string,
  manifest: Omit<BackupManifest, 'format'>,
): Promise<BackupManifest> {
  const complete: BackupManifest = { format: FORMAT, ...manifest };
  const text = `${JSON.stringify(complete, null, 1)}\n`;
  const options = { mode: 0o600, flag: 'wx', flush: true };
  await writeFile(join(folder, MANIFEST), text, options);
  await writeFile(join(folder, CHECKSUM), `${digestOf(text)}  ${MANIFEST}\n`, options);
  return complete;
}

/**
 * Reads the manifest of the backup in `folder`.
 * @throws Error that says what is wrong, when there is none, it is damaged, or it lacks a needed file
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await read(folder, MANIFEST);
  const checksum = await read(folder, CHECKSUM);
  if (checksum !== `${digestOf(text)}  ${MANIFEST}\n`) {
    throw new Error(`The backup ${folder} is damaged: ${MANIFEST} is not what ${CHECKSUM} says`);
  }
  const parsed = parseJson(text);
  const { format } = (parsed ?? {}) as { readonly format?: unknown };
  if (isText(format) && format !== FORMAT) {
    throw new Error(
      `The backup ${folder} has the format ${format as string}, and this version of Fairlead reads ${FORMAT}`,
    );
  }
  const wrong = wrongKey(parsed, SHAPES);
  if (wrong !== undefined)
    throw new Error(`The backup ${folder} is damaged: ${MANIFEST} has no right ${wrong}`);
  const manifest = parsed as BackupManifest;
  const listed = new Set(manifest.files.map(({ path }) => path));
  const segments = countSegments(manifest);
  if (segments < 1 || segments > listed.size) {
    throw new Error(
      `The backup ${folder} is incomplete: it lacks WAL from ${manifest.start} to ${manifest.stop}`,
    );
  }
  const needed = [...NEEDED, ...walSegments(manifest).map((name) => `postgres/pg_wal/${name}`)];
  const missing = needed.find((path) => !listed.has(path));
  if (missing !== undefined) throw new Error(`The backup ${folder} is incomplete: it has no ${missing}`);
  const strange = [...manifest.directories, ...listed].find((path) => !INSIDE.test(path));
  if (strange !== undefined) throw new Error(`The backup ${folder} names ${strange}, which is outside of it`);
  return manifest;
}

async function read(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    const reason = errorCode(error) ?? String(error);
    throw new Error(
      `${folder} is not a backup made by \`fairlead backup\`: ${name} cannot be read (${reason}). A plain copy of a ` +
        'data directory whose database was running is not restored, because it may lack records.',
      { cause: error },
    );
  }
}
