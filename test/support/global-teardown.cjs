const { rmSync } = require('node:fs');

module.exports = async () => {
  // Where tests ran in this process and not in a worker, which jest ends.
  await globalThis.stopSharedService?.();
  const { server, folder } = globalThis.fairleadServer ?? {};
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
