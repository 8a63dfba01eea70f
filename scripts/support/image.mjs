// Carries out a Dockerfile without containers: each stage is a folder, COPY copies what .dockerignore leaves of the
// project, and RUN runs with the Node.js of this machine.
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { DockerfileParser } from 'dockerfile-ast';
import { expectSuccess, newFolder } from './programs.mjs';

/** @returns the stages of a Dockerfile in order: the image and the name of each, and its instructions */
export function stagesOf(text) {
  const stages = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      stages.push({ image: instruction.getImage(), name: instruction.getBuildStage(), steps: [] });
    } else stages.at(-1).steps.push({ keyword, text: instruction.getArgumentsContent() ?? '', instruction });
  }
  return stages;
}

/** @returns what a COPY copies: `from` is the stage, or undefined for the project */
export function copyOf({ instruction }) {
  const [flag] = instruction.getFlags();
  const paths = instruction.getArguments().map((argument) => argument.getValue());
  return { from: flag?.getValue(), sources: paths.slice(0, -1), target: paths.at(-1) };
}

/** @returns whether .dockerignore leaves a path of the project */
export function contextOf(root) {
  const filter = dockerignore().add(readFileSync(join(root, '.dockerignore'), 'utf8'));
  return (path) => !filter.ignores(path);
}

/**
 * Builds the image. The packages of a stage that compiles are those of the project, which `npm ci` has installed from
 * the same lock file: `npm ci` runs for the packages that the image has.
 * @returns the folder that is the working directory of the image, and what its last stage says
 */
export async function buildImage(root) {
  const isInContext = contextOf(root);
  const folders = new Map();
  let last;
  for (const stage of stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    const folder = newFolder(stage.name ?? 'image');
    folders.set(stage.name, folder);
    for (const step of stage.steps) {
      if (step.keyword === 'COPY') copy(step);
      if (step.keyword === 'RUN') await runStep(step.text);
    }
    last = { folder, steps: stage.steps };

    function copy(step) {
      const { from, sources, target } = copyOf(step);
      const origin = from === undefined ? root : folders.get(from);
      for (const source of sources) {
        // The working directory of each stage is /app.
        const path = join(origin, from === undefined ? source : relative('/app', source));
        const isFolder = target.endsWith('/') || target === './';
        const place = join(folder, target, isFolder ? source.split('/').at(-1) : '');
        mkdirSync(join(place, '..'), { recursive: true });
        const filter = (each) => from !== undefined || isInContext(relative(root, each));
        if (!filter(path)) throw new Error(`.dockerignore leaves out ${source}`);
        cpSync(path, place, { recursive: true, filter, verbatimSymlinks: true });
      }
    }

    async function runStep(command) {
      const isForCompiler = /^npm ci/.test(command) && !/--omit=dev/.test(command);
      if (isForCompiler) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      else
        await expectSuccess('sh', ['-c', command], {
          cwd: folder,
          env: { npm_config_prefer_offline: 'true' },
        });
    }
  }
  return last;
}

/** @returns the value of the only instruction of that kind; of JSON its value */
export function only(steps, keyword) {
  const found = steps.filter((step) => step.keyword === keyword);
  if (found.length !== 1) throw new Error(`The image has ${found.length} of ${keyword}`);
  const { text } = found[0];
  return text.startsWith('[') ? JSON.parse(text) : text;
}

/** @returns the environment that the image sets */
export function environmentOf(steps) {
  const pairs = steps.filter(({ keyword }) => keyword === 'ENV').flatMap(({ text }) => text.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split('=')));
}

/** @returns the command of the health check */
export function healthCheckOf(steps) {
  const { instruction } = steps.find(({ keyword }) => keyword === 'HEALTHCHECK');
  const text = instruction.getArgumentsContent();
  return JSON.parse(text.slice(text.indexOf('[')));
}
