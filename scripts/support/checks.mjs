// What scripts share that check something and print a line for each check.

let passed = 0;
let failed = 0;

/** Runs a check. @returns what it returns; undefined where it has failed */
export async function check(name, work) {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  try {
    const result = await work();
    passed += 1;
    console.log(`ok      ${name} (${seconds()} s)`);
    return result;
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name} (${seconds()} s)\n${error.message.replace(/^/gm, '        ')}`);
    return undefined;
  }
}

/** Prints the line that .ci/run adds up, and ends the process. */
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

export function expectEqual(actual, expected) {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`found ${found}\nnot   ${wanted}`);
}
